import type { INodeTypeDescription } from 'n8n-workflow';

/** Stands for the entry of `shared` with this number, with what it has of its own: in this, what is alike otherwise may differ. */
export interface Reference {
	ref: number;
	default?: unknown;
	displayOptions?: object;
	options?: unknown;
}

/**
 * A description as the build writes it: what stands in several places is written once, before what it stands in, and
 * `displayOptions: { show }` is `shown`.
 */
export interface Packed {
	shared: object[];
	description: object;
}

/** The description whole, made of what was read: n8n loads it when it starts, so what can be is shared, not copied. */
export function unpacked({ shared, description }: Packed): INodeTypeDescription {
	const whole = (value: object): object => {
		const members = value as Record<string, unknown>;
		for (const [key, member] of Object.entries(members)) {
			if (typeof member === 'object' && member !== null) members[key] = whole(member);
		}
		const { ref, shown, ...own } = members;
		const entry = typeof ref === 'number' ? shared[ref] : undefined;
		if (entry && !shown && Object.keys(own).length === 0) return entry;
		const displayOptions = shown ? { displayOptions: { show: shown } } : {};
		return entry || shown ? { ...entry, ...own, ...displayOptions } : value;
	};
	shared.forEach((entry, number) => (shared[number] = whole(entry)));
	return whole(description) as INodeTypeDescription;
}
