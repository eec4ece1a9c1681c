import type { INodePropertyMode, INodePropertyRegexValidation } from 'n8n-workflow';
import { field, type Field, type FieldOptions, type FormElement } from './field';
import { inSentence, isBlank, isRecord, quoted, scalarText, toInteger } from '../values';

/** How the id of a record is chosen: by id, from a list if `resource` is given, and by URL if `url` is given, too. */
export interface LocatorOptions<Id extends number | string> extends FieldOptions {
	resource?: string;
	url?: string;
	/** Converts a text or number to an id; returns undefined if it is not one. */
	id?: (raw: unknown) => Id | undefined;
	/** The name of the id in the form, such as `Hash`. Default: `ID`. */
	idName?: string;
	idExample?: string;
	/** The name of an entry of the list. Default: the label. */
	noun?: string;
}

/** The id of a record, chosen the way n8n's users expect: From List, By ID, By URL. */
export function locator<Id extends number | string = number>(
	label: string,
	options: LocatorOptions<Id> = {},
): Field<Id | undefined> {
	const { resource, url, idName = 'ID' } = options;
	const modes = [
		...(resource ? [listMode(options.noun ?? label, resource)] : []),
		textMode(`By ${idName}`, 'id', options.idExample ?? '42'),
		...(resource && url ? [{ ...textMode('By URL', 'url', url), validation: [URL_VALIDATION] }] : []),
	];
	const toId = options.id ?? (toInteger as (raw: unknown) => Id | undefined);
	const element: FormElement = {
		type: 'resourceLocator',
		default: { mode: modes[0]?.name ?? 'id', value: '' },
		modes,
	};
	return {
		...field<Id | undefined>(label, element, options, () => undefined),
		read: async (reader, name) => {
			const raw = reader.value(label, name);
			const { mode, value } = isRecord(raw) && 'value' in raw ? raw : { mode: 'id', value: raw };
			if (isBlank(value)) return undefined;
			const text = scalarText(value);
			const { find } = reader.source;
			// A URL that was dragged into the field is in the mode By ID.
			const isUrl = mode === 'url' || /^\s*https?:\/\//i.test(text ?? '');
			if (isUrl && resource && url && text && find) return (await find(resource, text.trim())) as Id;
			const id = text === undefined ? undefined : toId(value);
			if (id === undefined) {
				throw reader.parameterError(
					label,
					`${quoted(value)} is not ${idName === 'ID' ? 'an' : 'a'} ${inSentence(idName)}`,
					`${resource ? 'Choose from the list or enter' : 'Enter'} the ${idName}`,
				);
			}
			return id;
		},
	};
}

/** The editor's check of a URL while it is typed. */
const URL_VALIDATION: INodePropertyRegexValidation = {
	type: 'regex',
	properties: {
		regex: '\\s*[A-Za-z]+://\\S+\\s*',
		errorMessage: 'Enter a URL that begins with https:// or http://',
	},
};

const listMode = (label: string, searchListMethod: string): INodePropertyMode => ({
	...mode('From List', 'list', 'list'),
	placeholder: `Select a ${inSentence(label)}...`,
	typeOptions: { searchListMethod, searchable: true },
});

const textMode = (displayName: string, name: string, example: string): INodePropertyMode => ({
	...mode(displayName, name, 'string'),
	placeholder: `e.g. ${example}`,
});

/** Not written out twice, because n8n's lint rule takes it for a parameter without a default. */
const mode = (displayName: string, name: string, type: INodePropertyMode['type']): INodePropertyMode => ({
	displayName,
	name,
	type,
});
