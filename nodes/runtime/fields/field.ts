import type { INodeProperties } from 'n8n-workflow';
import { flawOf, isBlank, isRecord, parseJson, scalarText } from '../values';

/** What a form asks of those who hold it. */
export interface ParameterSource {
	/** The workflow's time zone. */
	timezone: string;
	/**
	 * The error to throw for a value that can't be used. Label and reason make the sentence: `Limit` and `is empty`. It
	 * names the item, too.
	 */
	parameterError(label: string, reason: string, advice?: string): Error;
	/** The id of the record of `resource` that lives at `url`; throws when there is none. */
	find(resource: string, url: string): Promise<number | string>;
	/** The time zone in which the host reads dates; undefined if unknown. */
	hostZone?(): Promise<string | undefined>;
	/** Keeps a text that was typed out of all errors; where nothing is sent, nobody needs it. */
	conceal?(text: string): void;
	/** What counts as blank; a model has more ways to leave something out. */
	isBlank?(raw: unknown): boolean;
}

/** The parameters of one input item, or of a trigger, as a field sees them while it reads its own. */
export class ParameterReader {
	constructor(
		/** What the user's form or expression holds under a parameter name; undefined or null where nothing does. */
		readonly get: (parameter: string) => unknown,
		private readonly holder: ParameterSource,
		/** The place of the members of a collection, which errors name before the parameter. */
		private readonly place = '',
		/** Whether a parameter is there, blank or not: members of a collection may not have been added. */
		readonly holds: (parameter: string) => boolean = () => true,
	) {}

	get timezone(): string {
		return this.holder.timezone;
	}

	/** What stands under a name, if it is anything that can be sent; undefined if it is blank. */
	value(label: string, parameter: string): unknown {
		const raw = this.get(parameter);
		if (this.isBlank(raw)) return undefined;
		const flaw = flawOf(raw);
		if (flaw) throw this.parameterError(label, flaw);
		return raw;
	}

	/** Whether a value stands for none; what chooses a record does so if it chose nothing. */
	isBlank(raw: unknown): boolean {
		return (this.holder.isBlank ?? isBlank)(isRecord(raw) && '__rl' in raw ? raw.value : raw);
	}

	/** The same form one level down, for the members of a collection. */
	within(members: Record<string, unknown>, place = ''): ParameterReader {
		return new ParameterReader(
			(parameter) => members[parameter],
			this.holder,
			place,
			(parameter) => Object.hasOwn(members, parameter),
		);
	}

	/** The form of a collection, which an expression may also give as JSON; empty where nothing was added. */
	collection(name: string, label: string): ParameterReader {
		const held = this.get(name);
		if (this.isBlank(held)) return this.within({});
		const members = typeof held === 'string' ? parseJson(held) : held;
		if (isRecord(members)) return this.within(members);
		throw this.parameterError(label, 'is not a set of fields', 'Use an object such as { "name": "value" }');
	}

	/** The error to throw for a value that can't be used: it names the item and the parameter. */
	parameterError(label: string, reason: string, advice?: string): Error {
		return this.holder.parameterError(`${this.place}${label}`, reason, advice);
	}

	/** The id of the record of `resource` that lives at `url`; throws when there is none. */
	async find(resource: string, url: string): Promise<number | string> {
		return await this.holder.find(resource, url);
	}

	/** The time zone in which the host reads dates; undefined if unknown. */
	async hostZone(): Promise<string | undefined> {
		return await this.holder.hostZone?.();
	}

	/** Keeps a text that was typed out of all errors. */
	conceal(text: string): void {
		this.holder.conceal?.(text);
	}
}

/**
 * One parameter of an operation: how it looks in n8n's form, and how its value is read.
 * `Value` is what ends up in the request; optional fields yield undefined when left blank.
 */
export interface Field<Value = unknown> {
	readonly label: string;
	readonly required: boolean;
	/** Shown at the top of the form, as required ones are, and not in the collection of optional fields. */
	readonly alwaysShown: boolean;
	/** Shown in Options. */
	readonly advanced?: boolean;
	/** A value that must not come out with the results either; all that is hidden while typed is kept out of errors. */
	readonly secret: boolean;
	/** Left blank it would mean all there is: nothing stands for it but a value. */
	readonly notBlank?: boolean;
	/** The form's internal name, where the name in the request would mean two things. */
	readonly paramName?: string;
	properties(name: string): INodeProperties[];
	read(reader: ParameterReader, name: string): Value | Promise<Value>;
}

export type Fields = Record<string, Field>;

/** The values that a set of fields reads. */
export type Values<F extends Fields> = {
	[K in keyof F]: F[K] extends Field<infer Value> ? Value : never;
};

/** What every kind of field lets a row say. */
export interface FieldOptions {
	description?: string;
	hint?: string;
	paramName?: string;
	alwaysShown?: boolean;
	secret?: boolean;
	/** Shown as `e.g. …`. */
	example?: string;
}

export type Parse<Value> = (raw: unknown, refuse: (reason: string, advice?: string) => Error) => Value;

/** A field of one form element. Blank reads as undefined; anything else goes through `parse`. */
export function field<Value>(
	label: string,
	element: Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>,
	options: FieldOptions,
	parse: Parse<Value>,
): Field<Value | undefined> {
	const hidden = element.typeOptions?.password === true;
	return {
		label,
		required: false,
		alwaysShown: options.alwaysShown ?? false,
		secret: options.secret ?? false,
		paramName: options.paramName,
		properties: (name) => [
			{
				displayName: label,
				name,
				...element,
				...(options.description && { description: options.description }),
				...(options.hint && { hint: options.hint }),
				...(options.example && { placeholder: `e.g. ${options.example}` }),
			},
		],
		read: (reader, name) => {
			const raw = reader.value(label, name);
			if (raw === undefined) return undefined;
			if (hidden) reader.conceal(scalarText(raw) ?? '');
			return parse(raw, (reason, advice) => reader.parameterError(label, reason, advice));
		},
	};
}

/** Makes a field required: shown at the top of the form, refused when blank. */
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

/** Puts a field into Options: about the interface, or the order of a list, and not about what people want. */
export const advanced = <Value>(optional: Field<Value>): Field<Value> => ({ ...optional, advanced: true });

/** Makes an optional field that must not be blank once added: blank would select everything. */
export const notBlank = <Value>(optional: Field<Value | undefined>): Field<Value | undefined> => ({
	...optional,
	notBlank: true,
	read: async (reader, name) => {
		const value = await optional.read(reader, name);
		if (value !== undefined || !reader.holds(name)) return value;
		throw reader.parameterError(
			optional.label,
			'is empty, which would mean everything',
			'Enter a value, or remove it',
		);
	},
});

/**
 * Reads a set of fields: advanced ones from `options`, others that are always shown from `reader`, and the rest from
 * `collection`. Blank ones are left out of the result.
 */
export async function readFields<F extends Fields>(
	fields: F,
	reader: ParameterReader,
	collection = reader,
	options = collection,
): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		const parameter = field.paramName ?? name;
		const shown = field.alwaysShown ? reader : collection;
		const place = field.advanced ? options : shown;
		if (!field.alwaysShown && !place.holds(parameter)) continue;
		const value = await field.read(place, parameter);
		if (value !== undefined) values[name] = value;
	}
	return values as Values<F>;
}

/** The values that must not come out with the results. */
export const secretsIn = (fields: Fields, values: Record<string, unknown>): string[] =>
	Object.entries(fields).flatMap(([name, { secret }]) =>
		secret && values[name] ? [String(values[name])] : [],
	);
