import type { INodeProperties, INodePropertyOptions, NodeOperationError } from 'n8n-workflow';

/**
 * The parameters of one input item, as a field sees them while it reads its own.
 */
export interface Form {
	/** What the user's form or expression holds under a parameter name; undefined where nothing does. */
	get(parameter: string): unknown;
	/** The same form one level down, for the members of a collection. */
	within(members: Record<string, unknown>): Form;
	/** The error to throw for a value that can't be used: it names the item and the parameter. */
	refuse(label: string, reason: string, advice?: string): NodeOperationError;
	/** The id of the record of `resource` that lives at `url`; throws when there is none. */
	find(resource: string, url: string): Promise<number | string>;
}

/**
 * One parameter of an operation: how it looks in n8n's form, and how its value is read.
 * `Value` is what ends up in the request; optional fields yield undefined when left blank.
 */
export interface Field<Value = unknown> {
	readonly label: string;
	readonly required: boolean;
	/** Shown beside the required ones though it is optional. */
	readonly prominent: boolean;
	/** A value that must never be seen again: kept out of errors and outputs. */
	readonly secret: boolean;
	/** The form's internal name, where the name in the request would mean two things. */
	readonly parameter?: string;
	/** Samples for the documentation and the tests: three different ones. */
	readonly samples: readonly unknown[];
	properties(name: string): INodeProperties[];
	read(form: Form, name: string): Value | Promise<Value>;
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
	parameter?: string;
	prominent?: boolean;
	/** Shown as `e.g. …`; also the first sample in documentation and tests. */
	example?: string;
}

export const isBlank = (raw: unknown): boolean =>
	raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

type Parse<Value> = (raw: unknown, refuse: (reason: string, advice?: string) => Error) => Value;

/** A field of one form element. Blank reads as undefined; anything else goes through `parse`. */
export function field<Value>(
	label: string,
	element: Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>,
	options: FieldOptions,
	samples: readonly unknown[],
	parse: Parse<Value>,
): Field<Value | undefined> {
	return {
		label,
		required: false,
		prominent: options.prominent ?? false,
		secret: element.typeOptions?.password === true,
		parameter: options.parameter,
		samples,
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
		read: (form, name) => {
			const raw = form.get(name);
			if (isBlank(raw)) return undefined;
			return parse(raw, (reason, advice) => form.refuse(label, reason, advice));
		},
	};
}

/** Makes a field required: shown at the top of the form, refused when blank. */
export function required<Value>(optional: Field<Value | undefined>): Field<Exclude<Value, undefined>> {
	return {
		...optional,
		required: true,
		properties: (name) =>
			optional.properties(name).map((property) => ({ ...property, required: true as const })),
		read: async (form, name) => {
			const value = await optional.read(form, name);
			if (value === undefined) throw form.refuse(optional.label, 'is empty', 'Enter a value');
			return value as Exclude<Value, undefined>;
		},
	};
}

/** Shows an optional field beside the required ones. */
export const prominent = <Value>(optional: Field<Value>): Field<Value> => ({ ...optional, prominent: true });

const asText: Parse<string> = (raw, refuse) => {
	if (typeof raw === 'string') return raw;
	if (typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'bigint') return String(raw);
	throw refuse(`is ${describe(raw)}, but a text is needed`);
};

const describe = (raw: unknown): string => (Array.isArray(raw) ? 'a list' : `a value of type ${typeof raw}`);

/** A line of text; `rows` makes the box taller, `secret` hides what is typed. */
export const text = (
	label: string,
	options: FieldOptions & { rows?: number; secret?: boolean } = {},
): Field<string | undefined> => {
	const typeOptions = {
		...(options.rows && { rows: options.rows }),
		...(options.secret && { password: true }),
	};
	return field(
		label,
		{ type: 'string', default: '', ...(Object.keys(typeOptions).length > 0 && { typeOptions }) },
		options,
		[1, 2, 3].map((n) => (options.example ? `${options.example}${n === 1 ? '' : n}` : `${label} ${n}`)),
		asText,
	);
};

/** A whole number; decimal strings count. */
export const integer = (
	label: string,
	options: FieldOptions & { min?: number; max?: number; default?: number } = {},
): Field<number | undefined> =>
	field(
		label,
		{
			type: 'number',
			default: options.default ?? 0,
			typeOptions: {
				...(options.min !== undefined && { minValue: options.min }),
				...(options.max !== undefined && { maxValue: options.max }),
				numberPrecision: 0,
			},
		},
		options,
		[1, 2, 3].map((n) => (options.min ?? 0) + n),
		(raw, refuse) => {
			const value = toInteger(raw);
			if (value === undefined) throw refuse(`"${String(raw)}" is not a whole number`);
			if (options.min !== undefined && value < options.min) throw refuse(`must be at least ${options.min}`);
			if (options.max !== undefined && value > options.max) throw refuse(`must be at most ${options.max}`);
			return value;
		},
	);

/** The whole number that a number or decimal string stands for; undefined if it stands for none. */
export function toInteger(raw: unknown): number | undefined {
	if (typeof raw === 'string' && !/^\s*[+-]?\d+\s*$/.test(raw)) return undefined;
	if (typeof raw !== 'number' && typeof raw !== 'string') return undefined;
	const value = Number(raw);
	return Number.isSafeInteger(value) ? value : undefined;
}

/** The boolean that a value stands for (booleans, 0 and 1, "true" and "false"); undefined if none. */
export function toBoolean(raw: unknown): boolean | undefined {
	switch (typeof raw === 'string' ? raw.trim().toLowerCase() : raw) {
		case true:
		case 1:
		case '1':
		case 'true':
			return true;
		case false:
		case 0:
		case '0':
		case 'false':
			return false;
		default:
			return undefined;
	}
}

/** A switch. `whether` completes the sentence "Whether …". */
export const flag = (
	label: string,
	whether: string,
	options: FieldOptions & { default?: boolean } = {},
): Field<boolean | undefined> =>
	field(
		label,
		{ type: 'boolean', default: options.default ?? false },
		{ ...options, description: `Whether ${whether}` },
		[true, false, true],
		(raw, refuse) => {
			const value = toBoolean(raw);
			if (value === undefined) throw refuse(`"${String(raw)}" is neither true nor false`);
			return value;
		},
	);

/** The options of a list: stored value to the name a person reads, or to the whole option. */
export type Choices = Record<string, string | Omit<INodePropertyOptions, 'value'>>;

/** n8n's options of a list, in the order of their names. */
export const sortedOptions = (choices: Choices): INodePropertyOptions[] =>
	Object.entries(choices)
		.map(([value, choice]) => ({ ...(typeof choice === 'string' ? { name: choice } : choice), value }))
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** One of a fixed list. The value or its display name is accepted, in any case. */
export const choice = <const C extends Choices>(
	label: string,
	choices: C,
	options: FieldOptions & { default?: keyof C & string } = {},
): Field<(keyof C & string) | undefined> => {
	const listed = sortedOptions(choices);
	return field(
		label,
		{ type: 'options', options: listed, default: options.default ?? (listed[0]?.value as string) },
		options,
		[0, 1, 2].map((n) => listed[n % listed.length]?.value),
		(raw, refuse) => {
			const wanted = String(raw).trim().toLowerCase();
			const found =
				listed.find((option) => String(option.value).toLowerCase() === wanted) ??
				listed.find((option) => option.name.toLowerCase() === wanted);
			if (!found) {
				throw refuse(
					`"${String(raw)}" is not one of its options`,
					`Use one of: ${listed.map((option) => option.value).join(', ')}`,
				);
			}
			return found.value as keyof C & string;
		},
	);
};

/** Several of a list that n8n loads through `loadOptionsMethod`, each an integer id. */
export const ids = (
	label: string,
	loadOptionsMethod: string,
	options: FieldOptions = {},
): Field<number[] | undefined> =>
	field(
		label,
		{ type: 'multiOptions', default: [], typeOptions: { loadOptionsMethod } },
		{
			...options,
			description:
				'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		},
		[[11], [12, 13], [14]],
		(raw, refuse) => {
			const list = toList(raw).map((entry) => {
				const id = toInteger(entry);
				if (id === undefined) throw refuse(`"${String(entry)}" is not an ID`, 'IDs are whole numbers');
				return id;
			});
			return list.length > 0 ? list : undefined;
		},
	);

/** The entries of an array, a JSON array or a comma-separated text; a single value is a list of one. */
export function toList(raw: unknown): unknown[] {
	if (Array.isArray(raw)) return raw.filter((entry) => !isBlank(entry));
	if (typeof raw !== 'string') return isBlank(raw) ? [] : [raw];
	const parsed = raw.trim().startsWith('[') ? parseJson(raw) : undefined;
	if (Array.isArray(parsed)) return toList(parsed);
	return raw
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** A list of texts: an array, a JSON array or a comma-separated text. */
export const texts = (label: string, options: FieldOptions = {}): Field<string[] | undefined> =>
	field(
		label,
		{ type: 'string', default: '' },
		options,
		[['one'], ['two', 'three'], ['four']],
		(raw, refuse) => {
			const list = toList(raw).map((entry) => asText(entry, refuse));
			return list.length > 0 ? list : undefined;
		},
	);

const parseJson = (source: string): unknown => {
	try {
		return JSON.parse(source);
	} catch {
		return undefined;
	}
};

/** JSON: a text that holds it, or the value itself. */
export const json = <Value = unknown>(
	label: string,
	options: FieldOptions & {
		sample?: unknown;
		accepts?: (value: unknown) => value is Value;
		expected?: string;
	} = {},
): Field<Value | undefined> =>
	field(
		label,
		{ type: 'json', default: '' },
		options,
		[options.sample ?? { sample: 1 }, options.sample ?? { sample: 2 }, options.sample ?? { sample: 3 }],
		(raw, refuse) => {
			const value = typeof raw === 'string' ? parseJson(raw) : raw;
			if (value === undefined) throw refuse('is not valid JSON');
			if (options.accepts && !options.accepts(value)) {
				throw refuse(`is not ${options.expected ?? 'what is needed'}`);
			}
			return value as Value;
		},
	);

/** A moment, sent as `YYYY-MM-DD HH:MM:SS`: the clock time as written, no zone arithmetic. */
export const dateTime = (label: string, options: FieldOptions = {}): Field<string | undefined> =>
	field(
		label,
		{ type: 'dateTime', default: '' },
		options,
		['2031-01-02T03:04:05', '2031-02-03T04:05:06', '2031-03-04T05:06:07'],
		(raw, refuse) => {
			const written = toIso(raw);
			const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?.*)?$/.exec(written);
			if (!match || Number.isNaN(Date.parse(match[1] ?? ''))) {
				throw refuse(`"${written}" is not a date`, 'Use a form like 2031-01-02 03:04:05');
			}
			return `${match[1]} ${match[2] ?? '00:00'}${match[3] ?? ':00'}`;
		},
	);

/** The ISO form of a text, a Date, or a Luxon DateTime (what `$now` gives in an expression). */
const toIso = (raw: unknown): string => {
	if (isRecord(raw) && typeof raw.toISO === 'function') return String(raw.toISO());
	return raw instanceof Date ? raw.toISOString() : String(raw).trim();
};

/** A colour from n8n's picker (`#rrggbb`, `#rgb`) or written `rgb(r,g,b)`; sent as `rgb` or `hex`. */
export const color = (
	label: string,
	form: 'rgb' | 'hex',
	options: FieldOptions & { default?: string } = {},
): Field<string | undefined> =>
	field(
		label,
		{ type: 'color', default: options.default ?? '' },
		options,
		['#ff0000', '#00ff00', '#0000ff'],
		(raw, refuse) => {
			const channels = toChannels(String(raw).trim());
			if (!channels)
				throw refuse(`"${String(raw)}" is not a colour`, 'Use a form like #1a2b3c or rgb(26,43,60)');
			if (form === 'rgb') return `rgb(${channels.join(',')})`;
			return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
		},
	);

function toChannels(written: string): number[] | undefined {
	const hex = /^#?([\da-f]{3}|[\da-f]{6})(?:[\da-f]{2})?$/i.exec(written)?.[1];
	if (hex) {
		const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g);
		return (digits ?? []).map((pair) => Number.parseInt(pair, 16));
	}
	const rgb = /^rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/].*)?\)$/i.exec(written);
	const channels = rgb?.slice(1, 4).map(Number);
	return channels?.every((channel) => channel <= 255) ? channels : undefined;
}

/** Repeated small forms (n8n's fixed collection); reads as a list of objects, or from JSON. */
export function rows<const F extends Fields>(
	label: string,
	each: string,
	members: F,
	options: FieldOptions = {},
): Field<Array<Values<F>> | undefined> {
	const samples = [1, 2, 3].map((n) => ({
		entry: Array.from({ length: n }, (_, row) =>
			Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.samples[row % 3]])),
		),
	}));
	const element: Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties> = {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${each}`,
		default: {},
		options: [
			{
				name: 'entry',
				displayName: each,
				values: Object.entries(members).flatMap(([name, member]) => member.properties(name)),
			},
		],
	};
	const plain = field(label, element, options, samples, (raw, refuse) => {
		const value = typeof raw === 'string' ? parseJson(raw) : raw;
		const list = isRecord(value) && 'entry' in value ? value.entry : value;
		if (isRecord(list) && Object.keys(list).length === 0) return [];
		if (!Array.isArray(list) || !list.every(isRecord)) throw refuse('is not a list of entries');
		return list;
	});
	return {
		...plain,
		read: async (form, name) => {
			const list: Array<Values<F>> = [];
			for (const entry of (await plain.read(form, name)) ?? []) {
				list.push(await readFields(members, form.within(entry)));
			}
			return list.length > 0 ? list : undefined;
		},
	};
}

/** Reads every field of a set; blank optional ones are left out of the result. */
export async function readFields<F extends Fields>(fields: F, form: Form): Promise<Values<F>> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		const value = await field.read(form, field.parameter ?? name);
		if (value !== undefined) values[name] = value;
	}
	return values as Values<F>;
}
