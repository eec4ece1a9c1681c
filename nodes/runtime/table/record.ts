import type { IDataObject } from 'n8n-workflow';
import { isoOf } from '../fields/dates';
import { isRecord, toBoolean, toInteger, toText } from '../values';

/** A JSON Schema, as far as n8n's output preview uses it. */
export interface JsonSchema {
	type: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	additionalProperties?: JsonSchema;
}

/** One kind of value in a service's answers: its schema, and how odd spellings of it are tidied. */
export interface ValueSchema {
	readonly jsonSchema: JsonSchema;
	/** A record may lack it. */
	readonly optional?: boolean;
	/** The value in a complete record that lacks it; null by default. */
	defaultValue?(): unknown;
	/** Lies in the past, if the clocks are right. */
	readonly past?: true;
	/** The value in its one form. What can't be read as this kind stays as it came. `zone` is that of the host's clock. */
	coerce(value: unknown, zone?: string): unknown;
	/** The value with all members that it declares; kinds without members leave it as it is. */
	fillMissing?(value: unknown): unknown;
}

type Members = Readonly<Record<string, ValueSchema>>;
type Aliases = Readonly<Record<string, readonly string[]>>;

const valueSchema = (jsonSchema: JsonSchema, coerce: ValueSchema['coerce']): ValueSchema => ({
	jsonSchema,
	coerce,
});

export const aText = valueSchema({ type: 'string' }, (value) => value);
/** A whole number; hosts also send decimal strings. */
export const anInteger = valueSchema({ type: 'integer' }, (value) => toInteger(value) ?? value);
export const aNumber = valueSchema({ type: 'number' }, (value) => value);
/** A boolean; hosts also send 0 and 1, as numbers or strings. */
export const aBoolean = valueSchema({ type: 'boolean' }, (value) => toBoolean(value) ?? value);
export const aTextOrNull = valueSchema({ type: ['string', 'null'] }, (value) => value);
/** A URL, or null: hosts send `false` or an empty text when there is none. */
export const aUrlOrNull = valueSchema({ type: ['string', 'null'] }, (value) => value || null);
/** A moment. Hosts write the clock time of their zone: where that is known, it becomes ISO 8601. */
export const aMoment = valueSchema({ type: 'string' }, (value, zone) =>
	zone === undefined ? value : isoOf(value, zone),
);
export const aPastMoment: ValueSchema = { ...aMoment, past: true };
export const anything = valueSchema({ type: 'object' }, (value) => value);

/** Label to value; hosts send an empty map as an empty list, as 0 or as null. */
export const mapOf = (member: ValueSchema): ValueSchema =>
	valueSchema({ type: 'object', additionalProperties: member.jsonSchema }, (value, zone) => {
		if (isRecord(value)) return mapValues(value, (entry) => member.coerce(entry, zone));
		const isEmpty = Array.isArray(value) ? value.length === 0 : value === null || toInteger(value) === 0;
		return isEmpty ? {} : value;
	});
/** Label to count; counts come as strings. */
export const counts = mapOf(anInteger);

/** A member that a record may lack. */
export const optional = <K extends ValueSchema>(member: K): K & { readonly optional: true } => ({
	...member,
	optional: true,
});

export const listOf = (member: ValueSchema): ValueSchema => ({
	jsonSchema: { type: 'array', items: member.jsonSchema },
	coerce: (value, zone) => (Array.isArray(value) ? value.map((entry) => member.coerce(entry, zone)) : value),
	fillMissing: (value) =>
		Array.isArray(value) ? value.map((entry: unknown) => member.fillMissing?.(entry) ?? entry) : value,
});

/** A list that is empty where a record lacks it: there is nothing of it, which is known. */
export const listOrEmpty = (member: ValueSchema) => ({ ...optional(listOf(member)), defaultValue: () => [] });

const mapValues = (
	source: Record<string, unknown>,
	change: (value: unknown, key: string) => unknown,
): Record<string, unknown> =>
	Object.fromEntries(Object.entries(source).map(([key, value]) => [key, change(value, key)]));

/** A record: a kind with named members. */
export interface RecordSchema<M extends Members = Members> extends ValueSchema {
	readonly members: M;
	/** Other keys under which a member may come, by the member's name. */
	readonly aliases: Aliases;
	/** What it holds in place of its members where the form asks for something else. */
	readonly instead?: Members;
}

type OptionalName<M extends Members> = {
	[Name in keyof M]: M[Name] extends { readonly optional: true } ? Name : never;
}[keyof M];

/** What a record of a kind holds. Its values are the service's: nobody can promise their types. */
export type RecordOf<K extends RecordSchema, Value = IDataObject[string]> = {
	[Name in Exclude<keyof K['members'], OptionalName<K['members']>>]: Value;
} & { [Name in OptionalName<K['members']>]?: Value };

/** The same record with all members of its schema; unknown ones are null. */
export function fillMissing({ members, instead }: RecordSchema, value: IDataObject): IDataObject {
	const isOther = instead && Object.keys(instead).some((name) => name in value);
	const shape: Members = isOther ? instead : members;
	const known = Object.entries(value).filter(([, member]) => member !== undefined);
	return {
		...mapValues(shape, (member) => (member as ValueSchema).defaultValue?.() ?? null),
		...mapValues(Object.fromEntries(known), (member, name) => shape[name]?.fillMissing?.(member) ?? member),
	} as IDataObject;
}

/** The same record, or another in its place where the form asks for that. */
export const union = <M extends Members>(kind: RecordSchema<M>, instead: Members): RecordSchema<M> => ({
	...kind,
	instead,
	jsonSchema: {
		...kind.jsonSchema,
		properties: { ...kind.jsonSchema.properties, ...record(instead).jsonSchema.properties },
	},
});

/** Whether a past date of a record lies after `now`, in epoch milliseconds. */
export const isAhead = ({ members }: RecordSchema, value: IDataObject, now: number): boolean =>
	Object.entries(members).some(([name, { past }]) => past && Date.parse(toText(value[name])) > now);

/** A record that we make ourselves: with all that its kind declares, and nothing else. */
export const exact = <K extends RecordSchema, const R extends RecordOf<K, unknown>>(
	_: K,
	made: R & Record<Exclude<keyof R, keyof K['members']>, never>,
): RecordOf<K> => made as RecordOf<K>;

/**
 * A record with the given members. Members that an answer doesn't have are not invented, and those
 * not listed here are handed on as they came. `aliases` lists other keys under which a member may come.
 */
export function record<const M extends Members>(members: M, aliases: Aliases = {}): RecordSchema<M> {
	const canonical = new Map(
		Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
	);
	const kind: RecordSchema<M> = {
		members,
		aliases,
		jsonSchema: {
			type: 'object',
			properties: mapValues(members, (m) => (m as ValueSchema).jsonSchema) as Record<string, JsonSchema>,
		},
		fillMissing: (value) => (isRecord(value) ? fillMissing(kind, value as IDataObject) : value),
		coerce: (value, zone) => {
			if (!isRecord(value)) return value;
			const tidied: Array<[string, unknown]> = [];
			for (const [key, raw] of Object.entries(value)) {
				const name = canonical.get(key) ?? key;
				if (name !== key && Object.hasOwn(value, name)) continue;
				const member = Object.hasOwn(members, name) ? (members as Members)[name] : undefined;
				tidied.push([name, member ? member.coerce(raw, zone) : raw]);
			}
			return Object.fromEntries(tidied);
		},
	};
	return kind;
}

/** The same record with more members. */
export const extended = <M extends Members, const More extends Members>(
	schema: RecordSchema<M>,
	more: More,
): RecordSchema<M & More> => record({ ...schema.members, ...more }, schema.aliases);
