import type { Request } from '../exchange';
import { dependent, group, nothing, shownIf } from '../fields/compound';
import { required, type Field, type Form } from '../fields/field';
import { choice, json, fixedCollection, text } from '../fields/kinds';
import { listSettings } from '../table/settings';
import { asRecord, isRecord, quoted, toText } from '../values';
import { operation, resource, type ItemApi, type Result } from '../table/operation';
import { record } from '../table/record';

/** Where the entries of an answer stand, and how their pages are asked for. */
interface List {
	field?: string;
	pageParameter?: string;
	limit?: number;
}

const list: Field<List | undefined> = dependent<List | undefined>('apiResult', {
	answer: nothing,
	file: nothing,
	list: group('list', {
		field: text('List Field', {
			example: 'data.plans',
			description: 'Where the list stands in the answer, with dots between; blank if the answer is the list',
		}),
		pageParameter: text('Page Parameter', {
			example: 'page',
			description: 'The query parameter that takes the number of the page; blank for a single page',
		}),
		limit: listSettings.limit,
	}),
});

/** What a host has beyond the table: any method and path of the service, under the credential, at no other host. */
export const apiRequest = (example: string, offers: readonly string[] = []) => {
	const send = operation('POST /{path}', {
		name: 'Send',
		action: 'Send an API request',
		description: 'Ask for anything that the service offers, with the credential and its rate limit',
		composite: true,
		offers,
		changes: (get) => !/^\s*get\s*$/i.test(toText(get('apiMethod'))),
		path: {
			path: required(
				text('Path', { parameter: 'apiPath', example, description: 'The path after the Base URL' }),
			),
		},
		form: {
			method: required(
				choice(
					'Method',
					{ DELETE: 'DELETE', GET: 'GET', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' },
					{
						parameter: 'apiMethod',
						default: 'GET',
						description: 'What to do: GET reads, the others change something',
					},
				),
			),
			result: required(
				choice(
					'Result',
					{ answer: 'Whole Answer', file: 'File', list: 'One Item per Entry' },
					{
						parameter: 'apiResult',
						default: 'answer',
						description: 'What comes out; a file in the binary field data',
					},
				),
			),
			list,
			parameters: fixedCollection(
				'Query Parameters',
				'Parameter',
				{
					name: required(text('Name', { example: 'limit', description: 'The name of the parameter' })),
					value: text('Value', { example: '10', description: 'Its value; without one it is left out' }),
				},
				{ parameter: 'apiQuery', description: 'What to add to the path after a question mark' },
			),
			body: shownIf(
				{ '/apiMethod': ['DELETE', 'PATCH', 'POST', 'PUT'] },
				json('Body (JSON)', {
					parameter: 'apiBody',
					accepts: isRecord,
					expected: 'an object',
					description: 'The fields to send, as an object',
				}),
			),
		},
		output: { kind: record({}), pick: ({ json: answer }) => answer },
		run: async ({ path, form }, api) => {
			const refuse: Form['refuse'] = (...why) => api.refuse(...why);
			const request: Request = {
				...target(String(path.path), refuse),
				method: form.method,
				...(form.body && form.method !== 'GET' && { body: form.body }),
				...(form.result === 'file' && { accepts: 'anything' }),
			};
			for (const { name, value } of form.parameters ?? [])
				request.query = { ...request.query, [name]: value };
			if (form.list) return await entriesOf(api, request, form.list);
			const answer = await api.send(request);
			if (form.result !== 'file') return api.results([asRecord(answer.json)], answer);
			const fileName = decodeURIComponent(request.path.split('/').at(-1) || 'answer');
			const mimeType = toText(answer.headers['content-type'] ?? 'application/octet-stream');
			const data = await api.file(answer.bytes, fileName, mimeType);
			return [{ json: { fileName }, binary: { data } }];
		},
	});
	return resource(
		'API Request',
		{ description: 'What your service offers beyond the operations here' },
		{ send },
	);
};

/** A path and its query, as they are sent. Nothing but a path leads to another place than below the Base URL. */
function target(path: string, refuse: Form['refuse']): Pick<Request, 'path' | 'query'> {
	const written = path.trim().replace(/^(?![/\\]|[a-z][a-z\d+.-]*:)/i, '/');
	const base = 'http://service.invalid';
	const url = URL.canParse(written, base) ? new URL(written, base) : undefined;
	const isElsewhere = url?.origin !== base || url.username !== '' || url.hash !== '';
	// The parser of addresses takes these for steps to another folder, also where they are percent-encoded.
	const hasSteps = written.split(/[/\\?]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
	if (!url || isElsewhere || hasSteps) {
		throw refuse('Path', `${quoted(path)} is no path of the service`, 'Use a form like /api/account');
	}
	const query = Object.fromEntries(
		[...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]),
	);
	return { path: url.pathname, query };
}

/** The entries of the list that an answer holds, page after page; a page that repeats an earlier one ends it. */
async function entriesOf(api: ItemApi, request: Request, list: List): Promise<Result[]> {
	const { field = '', pageParameter, limit = Infinity } = list;
	const results: Result[] = [];
	const seen = new Set<string>();
	for (let page = 1; results.length < limit; page += 1) {
		const query = { ...request.query, ...(pageParameter && { [pageParameter]: page }) };
		const answer = await api.send({ ...request, query });
		const found = memberAt(answer.json, field);
		if (typeof found !== 'object' || found === null) {
			throw api.refuse('List Field', `the answer holds no list at ${quoted(field)}`);
		}
		const entries = Object.values(found as object);
		const fresh = entries.filter((entry) => {
			const identity = JSON.stringify(entry);
			return !seen.has(identity) && seen.add(identity);
		});
		results.push(...(await api.results(fresh.map(asRecord), answer)));
		if (!pageParameter || fresh.length === 0) break;
	}
	return results.slice(0, limit);
}

/** The member that a path of names leads to. */
const memberAt = (value: unknown, path: string): unknown =>
	path
		.split('.')
		.filter(Boolean)
		.reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], value);
