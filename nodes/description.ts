import type { INodeTypeDescription } from 'n8n-workflow';

/** Stands for the entry of `shared` with this number, shown when it says. */
export interface Reference {
	shared: number;
	displayOptions?: object;
}

/** A description as the build writes it: what stands in several places is written once, before what it stands in. */
export interface Packed {
	shared: object[];
	description: object;
}

const isReference = (value: object): value is Reference =>
	'shared' in value && Object.keys(value).every((key) => key === 'shared' || key === 'displayOptions');

/** The description whole, made of what was read: n8n loads it when it starts, so nothing is copied. */
export function unpacked({ shared, description }: Packed): INodeTypeDescription {
	const complete = <T extends object>(value: T): T => {
		for (const [key, member] of Object.entries(value) as Array<[keyof T, T[keyof T]]>) {
			if (typeof member !== 'object' || member === null) continue;
			complete(member);
			if (!isReference(member)) continue;
			const { shared: number, ...shown } = member;
			const whole = 'displayOptions' in shown ? { ...shared[number], ...shown } : shared[number];
			value[key] = whole as T[keyof T];
		}
		return value;
	};
	shared.forEach(complete);
	return complete(description) as INodeTypeDescription;
}
