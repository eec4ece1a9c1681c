import type { INode } from 'n8n-workflow';
import type { Api, ApiRequest, ApiResponse, ItemApi, Result } from '../api-types';
import { dependent, group, nothing, shownIf } from '../fields/compound';
import { required, type Field, type Fields } from '../fields/field';
import { json, fixedCollection, text, requiredChoice, requiredText } from '../fields/kinds';
import { locator } from '../fields/locator';
import { decoded, fileNameIn, fileNameOf } from '../file-names';
import { listSettings } from './settings';
import { asRecord, getOrCreate, isBlank, isRecord, quoted, scalarText, toText } from '../values';
import { operation, resource, type Operation } from './operation';
import { record } from './record';

interface Parameter {
	name: string;
	value?: string | undefined;
}

/** The place of the list in a response, and how its pages are requested. */
interface List {
	field?: string;
	pageParameter?: string;
	limit?: number;
}

const resultField = requiredChoice(
	'Result',
	{ response: 'Whole Response', file: 'File', list: 'One Item per Entry' },
	{
		paramName: 'apiResult',
		default: 'response',
		description: 'What to return; a file is in the binary field data',
	},
);

const listField: Field<List | undefined> = dependent<List | undefined>(resultField, {
	response: nothing,
	file: nothing,
	list: group('list', {
		field: text('List Field', {
			example: 'data.plans',
			description: 'Path to the list in the response, e.g. data.plans; blank if a GET returns a bare list',
		}),
		pageParameter: text('Page Parameter', {
			example: 'page',
			description: 'The query parameter for the page number; blank for a single page',
		}),
		limit: required(listSettings.limit),
	}),
});

/** Sends any request to the service with the credential: any method, and any path below the Base URL. */
export const apiRequest = (example: string, more: Fields = {}) => {
	const send = operation('POST /{path}', {
		name: 'Send',
		action: 'Send an API request',
		description: 'Send any request to the service, with the credential and its rate limit',
		isExtra: true,
		path: {
			path: required(
				locator<string>('Path', {
					paramName: 'apiPath',
					resource: 'route',
					id: (raw) => scalarText(raw)?.trim(),
					idName: 'Path',
					idExample: example,
					description: 'The path after the Base URL',
				}),
			),
		},
		params: {
			...more,
			method: requiredChoice(
				'Method',
				{ DELETE: 'DELETE', GET: 'GET', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' },
				{
					paramName: 'apiMethod',
					default: 'GET',
					description: 'GET counts as reading, whatever it does; the other methods change something',
				},
			),
			result: resultField,
			list: listField,
			parameters: fixedCollection(
				'Query Parameters',
				'Parameter',
				{
					name: requiredText('Name', { example: 'limit', description: 'The name of the parameter' }),
					value: text('Value', { example: '10', description: 'Value of the parameter; left out if blank' }),
				},
				{ paramName: 'apiQuery', description: 'Query parameters of the request' },
			),
			body: shownIf(
				{ '/apiMethod': ['DELETE', 'PATCH', 'POST', 'PUT'] },
				json('Body (JSON)', {
					paramName: 'apiBody',
					accepts: isRecord,
					expected: 'an object',
					description: 'The fields to send, as an object',
				}),
			),
		},
		output: { schema: record({}), select: ({ json: response }) => response },
		run: async ({ path, params }, api) => {
			const { inPath, ...address } = pathAndQuery(String(path.path), example, api);
			const request: ApiRequest = {
				...address,
				query: valuesByName([...inPath, ...(params.parameters ?? [])]),
				method: params.method,
				isCustom: true,
				...(params.body && params.method !== 'GET' && { body: params.body }),
				...(params.result === 'file' && { accepts: 'anything' }),
			};
			if (params.list) return await listEntries(api, request, params.list);
			const response = await api.send(request);
			if (params.result === 'file') return [await fileResult(api, request, response)];
			return await api.results([asRecord(response.json)], response);
		},
	});
	return resource('API Request', { description: 'Any other request that your service supports' }, { send });
};

/** Whether an operation is API Request with the method GET for all items. An expression may choose a method that writes. */
export const isApiGet = ({ params }: Operation, { parameters }: INode): boolean =>
	params.method !== undefined && parameters.apiMethod === 'GET';

/** The path to send, and the query parameters in it. Throws if the path leads outside the Base URL. */
function pathAndQuery(path: string, example: string, api: Api): { path: string; inPath: Parameter[] } {
	const written = path.replace(/^(?![/\\]|[a-z][a-z\d+.-]*:)/i, '/');
	const base = 'http://service.invalid';
	const url = URL.canParse(written, base) ? new URL(written, base) : undefined;
	const isElsewhere = url?.origin !== base || url.username !== '' || url.hash !== '';
	// `URL` resolves these segments, even percent-encoded, so the request would go to another path.
	const hasDotSegments = written.split(/[/\\?]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
	if (!url || isElsewhere || hasDotSegments) {
		throw api.parameterError(
			'Path',
			`${quoted(path)} is not a path of the service`,
			`Enter only what follows the Base URL, like ${example}`,
		);
	}
	const [placeholder] = /\{\w+\??\}/.exec(written) ?? [];
	if (placeholder) {
		throw api.parameterError(
			'Path',
			`contains ${placeholder} instead of a value`,
			'Choose By Path and replace it',
		);
	}
	const inPath = [...url.searchParams].map(([name, value]) => ({ name, value }));
	return { path: url.pathname, inPath };
}

/** The parameters of a query: a name that is given several times has all its values. */
function valuesByName(parameters: Parameter[]): Record<string, unknown> {
	const values = new Map<string, unknown[]>();
	for (const { name, value } of parameters) getOrCreate(values, name.trim(), () => []).push(value);
	return Object.fromEntries(values);
}

async function fileResult(api: ItemApi, { path }: ApiRequest, response: ApiResponse): Promise<Result> {
	const fileName = fileNameIn(response.headers) ?? fileNameOf(decoded(path) ?? path) ?? 'response';
	const mimeType = toText(response.headers['content-type'] ?? 'application/octet-stream');
	const data = await api.file(response.bytes, fileName, mimeType);
	return { json: { fileName }, binary: { data } };
}

/** The entries of the list in a response, from all pages. An empty page, or one that was there before, ends the list. */
async function listEntries(api: ItemApi, request: ApiRequest, list: List): Promise<Result[]> {
	const { field = '', pageParameter, limit = Infinity } = list;
	const results: Result[] = [];
	const seen = new Set<string>();
	let left = limit;
	for (let page = 1; left > 0; page += 1) {
		const query = { ...request.query, ...(pageParameter && { [pageParameter.trim()]: page }) };
		const response = await api.send({ ...request, query });
		// After the last page, hosts may leave out the list.
		const entries = entriesOf(memberAt(response.json, field) ?? (page > 1 ? [] : undefined));
		const named = isBlank(field) ? 'is blank, which' : quoted(field);
		if (!entries) throw api.parameterError('List Field', `${named} leads to no list in the response`);
		const written = JSON.stringify(entries);
		if (entries.length === 0 || seen.has(written)) break;
		seen.add(written);
		left -= entries.length;
		for (const result of await api.results(entries.map(asRecord), response)) results.push(result);
		if (!pageParameter) break;
	}
	return results.slice(0, limit);
}

/** The entries of a list, or of an object that has a record or list for each id; undefined for anything else. */
function entriesOf(found: unknown): unknown[] | undefined {
	if (Array.isArray(found)) return found;
	const entries = isRecord(found) ? Object.values(found) : [found];
	return entries.every((entry) => typeof entry === 'object') ? entries : undefined;
}

/** The member at a path such as `data.plans`. Hosts send `[]` for an object without members. */
function memberAt(value: unknown, path: string): unknown {
	let part = value;
	for (const name of path.trim().split('.').filter(Boolean)) {
		if (Array.isArray(part) && part.length === 0) return part;
		part = (part as Record<string, unknown> | null | undefined)?.[name];
	}
	return part;
}
