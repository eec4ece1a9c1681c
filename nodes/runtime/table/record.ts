import type { IDataObject } from 'n8n-workflow';
import { isoOf } from '../fields/dates';
import { isRecord, toBoolean, toInteger } from '../values';

/** A JSON Schema, as far as n8n's output preview uses it. */
export interface JsonSchema {
	description?: string;
	type: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	additionalProperties?: JsonSchema;
}

/** A type of value in responses: its JSON Schema, and how its variants are normalized. */
export interface ValueSchema {
	readonly jsonSchema: JsonSchema;
	readonly optional?: boolean;
	/** The value that `fillMissing` gives a missing member. Default: null. */
	defaultValue?(): unknown;
	/** The normalized value; one that can't be converted stays as it is. `zone` is that of the host's clock. */
	coerce(value: unknown, zone?: string): unknown;
	/** The value with all declared members. Only types with members have it. */
	fillMissing?(value: unknown): unknown;
	/** The same type, with a description of the member for the preview and the reference. */
	described<Type extends ValueSchema>(this: Type, text: string): Type;
}

type Members = Readonly<Record<string, ValueSchema>>;
type Aliases = Readonly<Record<string, readonly string[]>>;

const describable: Pick<ValueSchema, 'described'> = {
	described(description) {
		return { ...this, jsonSchema: { ...this.jsonSchema, description } };
	},
};

const valueSchema = (jsonSchema: JsonSchema, coerce: ValueSchema['coerce']): ValueSchema => ({
	...describable,
	jsonSchema,
	coerce,
});

export const aText = valueSchema({ type: 'string' }, (value) => value);
/** A whole number; hosts also send decimal strings. */
export const anInteger = valueSchema({ type: 'integer' }, (value) => toInteger(value) ?? value);
export const anIntegerOrText = valueSchema({ type: ['integer', 'string'] }, (value) => value);
export const aNumber = valueSchema({ type: 'number' }, (value) => value);
/** A boolean; hosts also send 0 and 1, as numbers or strings. */
export const aBoolean = valueSchema({ type: 'boolean' }, (value) => toBoolean(value) ?? value);
export const aTextOrNull = valueSchema({ type: ['string', 'null'] }, (value) => value);
/** A URL, or null: hosts send `false` or an empty text when there is none. */
export const aUrlOrNull = valueSchema({ type: ['string', 'null'] }, (value) => value || null);
/** A date and time, as ISO 8601 if the time zone of the host's clock is known; otherwise unchanged. */
export const aMoment = valueSchema({ type: 'string' }, (value, zone) =>
	zone === undefined ? value : isoOf(value, zone),
);
export const anything = valueSchema({ type: 'object' }, (value) => value);

/** A map from labels to values. Hosts send an empty map as an empty list, as 0 or as null. */
export const mapOf = (member: ValueSchema): ValueSchema =>
	valueSchema({ type: 'object', additionalProperties: member.jsonSchema }, (value, zone) => {
		if (isRecord(value)) return mapValues(value, (entry) => member.coerce(entry, zone));
		const isEmpty = Array.isArray(value) ? value.length === 0 : value === null || toInteger(value) === 0;
		return isEmpty ? {} : value;
	});
/** A map from labels to counts. Hosts send counts as strings. */
export const counts = mapOf(anInteger);

export const optional = <Member extends ValueSchema>(
	member: Member,
): Member & { readonly optional: true } => ({
	...member,
	optional: true,
});

export const listOf = (member: ValueSchema): ValueSchema => ({
	...describable,
	jsonSchema: { type: 'array', items: member.jsonSchema },
	coerce: (value, zone) => (Array.isArray(value) ? value.map((entry) => member.coerce(entry, zone)) : value),
	fillMissing: (value) =>
		Array.isArray(value) ? value.map((entry: unknown) => member.fillMissing?.(entry) ?? entry) : value,
});

/** A member with this value where a record lacks it. */
export const withDefault = (member: ValueSchema, value: unknown) => ({
	...optional(member),
	defaultValue: () => value,
});

export const listOrEmpty = (member: ValueSchema) => withDefault(listOf(member), []);

const mapValues = <Value, Changed>(
	source: Readonly<Record<string, Value>>,
	change: (value: Value, key: string) => Changed,
): Record<string, Changed> =>
	Object.fromEntries(Object.entries(source).map(([key, value]) => [key, change(value, key)]));

export interface RecordSchema<Declared extends Members = Members> extends ValueSchema {
	readonly members: Declared;
	/** Other keys under which hosts send a member, by its name. */
	readonly aliases: Aliases;
	/** The members of the other record that the operation may return instead. */
	readonly instead?: Members;
}

type OptionalName<Declared extends Members> = {
	[Name in keyof Declared]: Declared[Name] extends { readonly optional: true } ? Name : never;
}[keyof Declared];

/** A record of a given schema. The types of its values are unknown, because they come from the service. */
export type RecordOf<Schema extends RecordSchema, Value = IDataObject[string]> = {
	[Name in Exclude<keyof Schema['members'], OptionalName<Schema['members']>>]: Value;
} & { [Name in OptionalName<Schema['members']>]?: Value };

/** The record with all members of its schema. Missing ones get their default value. */
export function fillMissing({ members, instead }: RecordSchema, value: IDataObject): IDataObject {
	const isInstead = instead && Object.keys(instead).some((name) => name in value);
	const declared: Members = isInstead ? instead : members;
	const present = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
	return {
		...mapValues(declared, (member) => member.defaultValue?.() ?? null),
		...mapValues(present, (member, name) => declared[name]?.fillMissing?.(member) ?? member),
	} as IDataObject;
}

/** The members of a record that its schema declares, without undefined ones. */
export const onlyDeclared = ({ members }: RecordSchema, value: Record<string, unknown>): IDataObject =>
	Object.fromEntries(
		Object.entries(value).filter(([name, member]) => member !== undefined && Object.hasOwn(members, name)),
	) as IDataObject;

/** A schema with the members of another record, for operations that return one or the other. */
export const union = <Declared extends Members>(
	schema: RecordSchema<Declared>,
	instead: Members,
): RecordSchema<Declared> => ({
	...schema,
	instead,
	jsonSchema: {
		...schema.jsonSchema,
		properties: { ...schema.jsonSchema.properties, ...record(instead).jsonSchema.properties },
	},
});

/** A record that this package makes. The type check requires exactly the declared members. */
export const exact = <Schema extends RecordSchema, const Made extends RecordOf<Schema, unknown>>(
	_: Schema,
	made: Made & Record<Exclude<keyof Made, keyof Schema['members']>, never>,
): RecordOf<Schema> => made as RecordOf<Schema>;

/** Declares a record. Its `coerce` keeps undeclared members. `aliases` are other keys under which hosts send one. */
export function record<const Declared extends Members>(
	members: Declared,
	aliases: Aliases = {},
): RecordSchema<Declared> {
	const nameByAlias = new Map(
		Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
	);
	const schema: RecordSchema<Declared> = {
		...describable,
		members,
		aliases,
		jsonSchema: {
			type: 'object',
			properties: mapValues<ValueSchema, JsonSchema>(members, (member) => member.jsonSchema),
		},
		fillMissing: (value) => (isRecord(value) ? fillMissing(schema, value as IDataObject) : value),
		coerce: (value, zone) => {
			if (!isRecord(value)) return value;
			const coerced: Array<[string, unknown]> = [];
			for (const [key, raw] of Object.entries(value)) {
				const name = nameByAlias.get(key) ?? key;
				// The member itself takes precedence over its alias.
				if (name !== key && Object.hasOwn(value, name)) continue;
				const member = Object.hasOwn(members, name) ? (members as Members)[name] : undefined;
				coerced.push([name, member ? member.coerce(raw, zone) : raw]);
			}
			return Object.fromEntries(coerced);
		},
	};
	return schema;
}

export const extended = <Declared extends Members, const More extends Members>(
	schema: RecordSchema<Declared>,
	more: More,
): RecordSchema<Declared & More> => record({ ...schema.members, ...more }, schema.aliases);
