import type { INodeTypeDescription } from 'n8n-workflow';

/** Stands for the entry of `shared` with this number. */
export interface Reference {
	shared: number;
}

/** A description as the build writes it: what stands in several places is written once, before what it stands in. */
export interface Packed {
	shared: object[];
	description: object;
}

const isReference = (value: object): value is Reference =>
	'shared' in value && Object.keys(value).length === 1;

/** The description whole, made of what was read: n8n loads it when it starts, so nothing is copied. */
export function unpacked({ shared, description }: Packed): INodeTypeDescription {
	const complete = <T extends object>(value: T): T => {
		for (const [key, member] of Object.entries(value) as Array<[keyof T, T[keyof T]]>) {
			if (typeof member !== 'object' || member === null) continue;
			value[key] = (isReference(member) ? shared[member.shared] : complete(member)) as T[keyof T];
		}
		return value;
	};
	shared.forEach(complete);
	return complete(description) as INodeTypeDescription;
}
