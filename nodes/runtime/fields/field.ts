import type { INodeProperties } from 'n8n-workflow';
import { flawOf, isBlank, isRecord, toText } from '../values';

/** What a `ParameterReader` needs from the node. */
export interface ParameterSource {
	/** The workflow's time zone. */
	timezone: string;
	/** The error for an invalid value. Label and reason make the sentence: `Limit` and `is empty`. */
	parameterError(label: string, reason: string, advice?: string): Error;
	/** The id of the record of `resource` with this `url`; throws if there is none. Options of a run choose no records. */
	find?(resource: string, url: string): Promise<number | string>;
	/** The time zone in which the host reads dates; undefined if unknown. */
	hostZone?(): Promise<string | undefined>;
	/** Notes the value of a password field and the member of the request that it fills. */
	noteSecret?(member: string, text: string): void;
}

/** Whether a value is blank; a resource locator is blank if its value is. */
export const isUnset = (raw: unknown): boolean => isBlank(isRecord(raw) && '__rl' in raw ? raw.value : raw);

/** Reads the parameters of one input item or of a trigger. */
export class ParameterReader {
	constructor(
		/** The raw value of a parameter; undefined or null if it has none. */
		readonly get: (parameter: string) => unknown,
		readonly source: ParameterSource,
		/** Comes before each label in errors; names the list entry that contains the parameters. */
		private readonly labelPrefix = '',
		/** Whether a parameter is present, even if blank. In a collection, only those that the user added are. */
		readonly holds: (parameter: string) => boolean = () => true,
	) {}

	/** The value of a parameter; undefined if it is blank. Throws if it is a value that can't be sent. */
	value(label: string, parameter: string): unknown {
		const raw = this.get(parameter);
		if (isUnset(raw)) return undefined;
		const flaw = flawOf(raw);
		if (flaw) throw this.parameterError(label, flaw);
		return raw;
	}

	/** A reader for the members of a collection. */
	ofMembers(members: Record<string, unknown>, labelPrefix = ''): ParameterReader {
		return new ParameterReader(
			(parameter) => members[parameter],
			this.source,
			labelPrefix,
			(parameter) => Object.hasOwn(members, parameter),
		);
	}

	/** A reader for a collection. A blank one has no members. */
	collection(name: string, label: string): ParameterReader {
		const raw = this.get(name);
		if (isBlank(raw)) return this.ofMembers({});
		if (isRecord(raw)) return this.ofMembers(raw);
		throw this.parameterError(label, 'is not a set of fields', 'Use an object such as { "name": "value" }');
	}

	/** Returns the error for an invalid value; it names the item and the parameter. */
	parameterError(label: string, reason: string, advice?: string): Error {
		return this.source.parameterError(`${this.labelPrefix}${label}`, reason, advice);
	}
}

/**
 * One parameter of an operation: its form elements, and how its value is read. `Value` is the value in the request;
 * blank optional fields read as undefined.
 */
export interface Field<Value = unknown> {
	readonly label: string;
	/** Whether it must not be blank. Only tests read this: `required()` itself marks the form and checks the value. */
	readonly required: boolean;
	/** Shown at the top of the form, like required fields, not in the collection of optional fields. */
	readonly alwaysShown: boolean;
	/** Shown in the collection Options. */
	readonly advanced?: boolean;
	/** A password field: its value must not appear in messages, nor as a member of results. */
	readonly secret: boolean;
	/** The parameter's name in the form. Default: the name in the request; in a row's fields, in camelCase. */
	readonly paramName?: string;
	properties(name: string): INodeProperties[];
	read(reader: ParameterReader, name: string): Value | Promise<Value>;
}

export type Fields = Record<string, Field>;

export type Values<Named extends Fields> = {
	[Name in keyof Named]: Named[Name] extends Field<infer Value> ? Value : never;
};

export interface FieldOptions {
	description?: string;
	paramName?: string;
	alwaysShown?: boolean;
	/** Shown as `e.g. …`. */
	example?: string;
}

/** A form element, without the properties that `field` sets. */
export type FormElement = Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;

/** Converts a value that is not blank. If the value is invalid, it throws the error that `error` makes. */
export type Parse<Value> = (raw: unknown, error: (reason: string, advice?: string) => Error) => Value;

/** A field with one form element. A blank value reads as undefined; any other goes through `parse`. */
export function field<Value>(
	label: string,
	element: FormElement,
	options: FieldOptions,
	parse: Parse<Value>,
): Field<Value | undefined> {
	return {
		label,
		required: false,
		alwaysShown: options.alwaysShown ?? false,
		secret: element.typeOptions?.password === true,
		paramName: options.paramName,
		properties: (name) => [
			{
				displayName: label,
				name,
				...element,
				...(options.description && { description: options.description }),
				...(options.example && { placeholder: `e.g. ${options.example}` }),
			},
		],
		read: (reader, name) => {
			const raw = reader.value(label, name);
			if (raw === undefined) return undefined;
			return parse(raw, (reason, advice) => reader.parameterError(label, reason, advice));
		},
	};
}

/** Makes a field required: shown at the top of the form; throws if blank. */
export function required<Value>(optional: Field<Value | undefined>): Field<Exclude<Value, undefined>> {
	return {
		...optional,
		required: true,
		alwaysShown: true,
		properties: (name) =>
			optional.properties(name).map((property) => ({ ...property, required: true as const })),
		read: async (reader, name) => {
			const value = await optional.read(reader, name);
			if (value === undefined) throw reader.parameterError(optional.label, 'is empty', 'Enter a value');
			return value as Exclude<Value, undefined>;
		},
	};
}

/** Shows an optional field beside the required ones. */
export const alwaysShown = <Value>(optional: Field<Value>): Field<Value> => ({
	...optional,
	alwaysShown: true,
});

/** Moves a field into Options, for details of the request or the order of a list. */
export const advanced = <Value>(optional: Field<Value>): Field<Value> => ({ ...optional, advanced: true });

/** Reads fields: advanced ones from `options`, always shown ones from `reader`, the rest from `collection`. */
export async function readFields<Named extends Fields>(
	fields: Named,
	reader: ParameterReader,
	collection = reader,
	options = collection,
): Promise<Values<Named>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		const parameter = field.paramName ?? name;
		const shown = field.alwaysShown ? reader : collection;
		const place = field.advanced ? options : shown;
		if (!field.alwaysShown && !place.holds(parameter)) continue;
		const value = await field.read(place, parameter);
		if (value === undefined) continue;
		if (field.secret) reader.source.noteSecret?.(name, toText(value));
		values[name] = value;
	}
	return values as Values<Named>;
}
