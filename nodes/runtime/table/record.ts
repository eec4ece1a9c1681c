import { isRecord, toBoolean, toInteger } from '../values';

/** A JSON Schema, as far as n8n's output preview uses it. */
export interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: Schema;
}

/** One kind of value in a service's answers: its schema, and how odd spellings of it are tidied. */
export interface Kind {
	schema: Schema;
	/** The value in its one form. What can't be read as this kind stays as it came. */
	tidy(value: unknown): unknown;
}

const kind = (schema: Schema, tidy: Kind['tidy']): Kind => ({ schema, tidy });

export const aText = kind({ type: 'string' }, (value) => value);
/** A whole number; hosts also send decimal strings. */
export const anInteger = kind({ type: 'integer' }, (value) => toInteger(value) ?? value);
/** A boolean; hosts also send 0 and 1, as numbers or strings. */
export const aBoolean = kind({ type: 'boolean' }, (value) => toBoolean(value) ?? value);
/** A URL, or null: hosts send `false` or an empty text when there is none. */
export const aUrlOrNull = kind({ type: ['string', 'null'] }, (value) => value || null);
export const anything = kind({ type: 'object' }, (value) => value);

/** Label to count; counts come as strings, and an empty map as an empty list. */
export const counts: Kind = kind({ type: 'object', additionalProperties: { type: 'integer' } }, (value) => {
	if (Array.isArray(value) && value.length === 0) return {};
	return isRecord(value) ? mapValues(value, (count) => anInteger.tidy(count)) : value;
});

export const listOf = (member: Kind): Kind =>
	kind({ type: 'array', items: member.schema }, (value) =>
		Array.isArray(value) ? value.map((entry) => member.tidy(entry)) : value,
	);

const mapValues = (
	source: Record<string, unknown>,
	change: (value: unknown, key: string) => unknown,
): Record<string, unknown> =>
	Object.fromEntries(Object.entries(source).map(([key, value]) => [key, change(value, key)]));

/** A record: a kind with named members. */
export interface RecordKind extends Kind {
	members: Record<string, Kind>;
	tidy(value: unknown): unknown;
}

/**
 * A record with the given members. Members that an answer doesn't have are not invented, and those
 * not listed here are handed on as they came. `aliases` lists other keys under which a member may come.
 */
export function record(
	members: Record<string, Kind>,
	aliases: Record<string, readonly string[]> = {},
): RecordKind {
	const canonical = new Map(
		Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
	);
	return {
		members,
		schema: {
			type: 'object',
			properties: mapValues(members, (m) => (m as Kind).schema) as Record<string, Schema>,
		},
		tidy: (value) => {
			if (!isRecord(value)) return value;
			const tidied = Object.entries(value).flatMap(([key, raw]) => {
				const name = canonical.get(key) ?? key;
				if (name !== key && Object.hasOwn(value, name)) return [];
				const member = Object.hasOwn(members, name) ? members[name] : undefined;
				return [[name, member ? member.tidy(raw) : raw]];
			});
			return Object.fromEntries(tidied);
		},
	};
}
