import type { INodePropertyOptions } from 'n8n-workflow';
import {
	field,
	isUnset,
	readFields,
	required,
	type Field,
	type FieldOptions,
	type Fields,
	type FormElement,
	type Parse,
	type Values,
} from './field';
import { isRecord, parseJson, quoted, sortedBy, toBoolean, toInteger, toList, scalarText } from '../values';

/** One line can't have them: they come with a text from a file or a model. */
const LINE_BREAKS_AT_ENDS = /^[\r\n]+|(?<![\r\n])[\r\n]+$/g;

type TextOptions = FieldOptions & { default?: string; rows?: number; secret?: boolean; longest?: number };

function asText(raw: unknown, error: Parameters<Parse<string>>[1], options: TextOptions = {}): string {
	const { rows, longest = Infinity } = options;
	const written = scalarText(raw);
	if (written === undefined) throw error(`must be text, not ${describe(raw)}`);
	const shown = rows ? written : written.replace(LINE_BREAKS_AT_ENDS, '');
	// A copied URL often has a blank or a line break at its end.
	const value = /^\s*https?:\/\/\S+\s*$/i.test(shown) ? shown.trim() : shown;
	const length = value.length > longest ? [...value].length : 0;
	if (length > longest) throw error(`has ${length} characters, more than ${longest}`, 'Shorten it');
	return value;
}

const describe = (raw: unknown): string => {
	if (Array.isArray(raw)) return 'a list';
	return typeof raw === 'number' ? String(raw) : `a value of type ${typeof raw}`;
};

/**
 * A text. `rows` is the height of its box, in lines. With `secret`, it is a password: the form hides typed characters,
 * messages mask them, and results mask the member of this name. The service cuts or refuses a text with more than
 * `longest` characters.
 */
export const text = (label: string, options: TextOptions = {}): Field<string | undefined> => {
	const { rows, secret } = options;
	return field(
		label,
		{
			type: 'string',
			default: options.default ?? '',
			...((rows ?? secret) && { typeOptions: secret ? { password: true } : { rows } }),
		},
		options,
		(raw, error) => asText(raw, error, options),
	);
};

export const requiredText = (...options: Parameters<typeof text>): Field<string> =>
	required(text(...options));

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
		(raw, error) => {
			const value = toInteger(raw);
			if (value === undefined) throw error(`${quoted(raw)} is not a whole number`);
			if (options.min !== undefined && value < options.min) throw error(`must be at least ${options.min}`);
			if (options.max !== undefined && value > options.max) throw error(`must be at most ${options.max}`);
			return value;
		},
	);

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
		(raw, error) => {
			const value = toBoolean(raw);
			if (value === undefined) throw error(`${quoted(raw)} is neither true nor false`);
			return value;
		},
	);

/** The options of a list: from the stored value to the name that the form shows, or to the whole option. */
export type Choices = Record<string, string | Omit<INodePropertyOptions, 'value'>>;

/** The options of a list as n8n expects them, sorted by name. */
export const sortedOptions = (choices: Choices): INodePropertyOptions[] =>
	sortedBy(
		Object.entries(choices).map(([value, choice]) => ({
			...(typeof choice === 'string' ? { name: choice } : choice),
			value,
		})),
		({ name }) => name,
	);

/** The value of the option with this value or name, in upper or lower case. */
function optionIn(listed: INodePropertyOptions[], raw: unknown, error: Parameters<Parse<string>>[1]): string {
	const wanted = scalarText(raw)?.trim().toLowerCase();
	const found =
		listed.find((option) => String(option.value).toLowerCase() === wanted) ??
		listed.find((option) => option.name.toLowerCase() === wanted);
	if (found) return String(found.value);
	throw error(
		`${quoted(raw)} is not one of the options`,
		`Use one of: ${listed.map((option) => option.value).join(', ')}`,
	);
}

/** One option of a fixed list. */
export const choice = <const Listed extends Choices>(
	label: string,
	choices: Listed,
	options: FieldOptions & { default?: keyof Listed & string } = {},
): Field<(keyof Listed & string) | undefined> => {
	const listed = sortedOptions(choices);
	return field(
		label,
		{ type: 'options', options: listed, default: options.default ?? (listed[0]?.value as string) },
		options,
		(raw, error) => optionIn(listed, raw, error) as keyof Listed & string,
	);
};

export const requiredChoice = <const Listed extends Choices>(
	...options: Parameters<typeof choice<Listed>>
): Field<keyof Listed & string> => required(choice(...options));

export const severalOf = (
	label: string,
	choices: Choices,
	options: FieldOptions = {},
): Field<string[] | undefined> => {
	const listed = sortedOptions(choices);
	return field(label, { type: 'multiOptions', options: listed, default: [] }, options, (raw, error) => {
		const chosen = toList(raw).map((entry) => optionIn(listed, entry, error));
		return chosen.length > 0 ? chosen : undefined;
	});
};

/** The ids in a list, a JSON array or a comma-separated text. */
export const asIds: Parse<number[] | undefined> = (raw, error) => {
	const list = toList(raw).map((entry) => {
		const id = toInteger(entry);
		if (id === undefined) throw error(`${quoted(entry)} is not an ID`, 'IDs are whole numbers');
		return id;
	});
	return list.length > 0 ? list : undefined;
};

/** Several integer ids from a list that n8n loads through `loadOptionsMethod`. */
export const ids = (
	label: string,
	loadOptionsMethod: string,
	options: FieldOptions & { description: string },
): Field<number[] | undefined> =>
	field(
		label,
		{ type: 'multiOptions', default: [], typeOptions: { loadOptionsMethod } },
		{
			...options,
			description: `${options.description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
		},
		asIds,
	);

/** The entries of a JSON array; undefined for any other text, and for one of numbers: `[2024]` can be a tag. */
function jsonEntries(raw: unknown): unknown[] | undefined {
	const list = typeof raw === 'string' ? parseJson(raw) : undefined;
	if (!Array.isArray(list)) return undefined;
	return list.length > 0 && list.every((entry) => typeof entry === 'number') ? undefined : toList(list);
}

/** An array, a JSON array, or a text with separators. */
const separatedBy =
	(separator: string): Parse<string[] | undefined> =>
	(raw, error) => {
		const entries =
			jsonEntries(raw) ?? (Array.isArray(raw) ? toList(raw) : asText(raw, error).split(separator));
		const list = entries.map((entry) => asText(entry, error).trim()).filter((entry) => entry !== '');
		return list.length > 0 ? list : undefined;
	};

/** A list of texts, separated by commas. */
export const texts = (label: string, options: FieldOptions = {}): Field<string[] | undefined> =>
	field(label, { type: 'string', default: '' }, options, separatedBy(','));

/** A list of texts that may contain commas, one per line. */
export const lines = (label: string, options: FieldOptions = {}): Field<string[] | undefined> =>
	field(label, { type: 'string', default: '', typeOptions: { rows: 3 } }, options, separatedBy('\n'));

/** JSON as a text, or a value. `empty` is the default: the editor accepts it as valid JSON, and it counts as blank. */
export const json = <Value = unknown>(
	label: string,
	options: FieldOptions & {
		accepts?: (value: unknown) => value is Value;
		expected?: string;
		empty?: '[]';
	} = {},
): Field<Value | undefined> => {
	const { empty = '{}' } = options;
	return field<Value | undefined>(label, { type: 'json', default: empty }, options, (raw, error) => {
		if (raw === empty) return undefined;
		const value = typeof raw === 'string' ? parseJson(raw) : raw;
		if (value === undefined) throw error('is not valid JSON');
		if (options.accepts && !options.accepts(value)) {
			throw error(`is not ${options.expected ?? 'what is needed'}`);
		}
		return value as Value;
	});
};

/** A color, written `#rrggbb`, `#rgb` or `rgb(r,g,b)` and sent in the given notation. */
export const color = (
	label: string,
	notation: 'rgb' | 'hex',
	options: FieldOptions & { default?: string } = {},
): Field<string | undefined> =>
	field(label, { type: 'color', default: options.default ?? '' }, options, (raw, error) => {
		const channels = toChannels((scalarText(raw) ?? '').trim());
		if (!channels) throw error(`${quoted(raw)} is not a color`, 'Use a form like #1a2b3c or rgb(26,43,60)');
		if (notation === 'rgb') return `rgb(${channels.join(',')})`;
		return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
	});

function toChannels(written: string): number[] | undefined {
	// n8n's picker may add digits for transparency, which are ignored.
	const [, short, long] = /^#?(?:([\da-f]{3})[\da-f]?|([\da-f]{6})(?:[\da-f]{2})?)$/i.exec(written) ?? [];
	const pairs = short ? [...short].map((digit) => digit + digit) : long?.match(/../g);
	const [, ...rgb] = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\b[^()]*\)$/i.exec(written) ?? [];
	const channels = pairs?.map((pair) => Number.parseInt(pair, 16)) ?? rgb.map(Number);
	return channels.length === 3 && channels.every((channel) => channel <= 255) ? channels : undefined;
}

/** A form that can be added several times, or JSON. Reads as a list of objects, without blank ones. */
export function fixedCollection<const EntryFields extends Fields>(
	label: string,
	entryLabel: string,
	members: EntryFields,
	options: FieldOptions = {},
): Field<Array<Values<EntryFields>> | undefined> {
	const element: FormElement = {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entryLabel}`,
		default: {},
		options: [
			{
				name: 'entry',
				displayName: entryLabel,
				values: Object.entries(members).flatMap(([name, member]) => member.properties(name)),
			},
		],
	};
	const plain = field(label, element, options, (raw, error) => {
		const value = typeof raw === 'string' ? parseJson(raw) : raw;
		const list = isRecord(value) && 'entry' in value ? value.entry : value;
		if (isRecord(list) && Object.keys(list).length === 0) return [];
		if (value === undefined) throw error('is not valid JSON');
		if (!Array.isArray(list) || !list.every(isRecord)) throw error('is not a list of objects');
		return list;
	});
	return {
		...plain,
		read: async (reader, name) => {
			const entries = (await plain.read(reader, name)) ?? [];
			const list: Array<Values<EntryFields>> = [];
			for (const [index, entry] of entries.entries()) {
				if (Object.values(entry).every(isUnset)) continue;
				list.push(await readFields(members, reader.ofMembers(entry, `${label} ${index + 1}, `)));
			}
			return list.length > 0 ? list : undefined;
		},
	};
}
