import type { Paging } from '../../nodes/runtime/api-types';
import type { Field } from '../../nodes/runtime/fields/field';
import { ids, text } from '../../nodes/runtime/fields/kinds';
import {
	operation,
	resource,
	type Batch,
	type Operation,
	simplified,
} from '../../nodes/runtime/table/operation';
import { anInteger, record, aText, exact, optional, type RecordOf } from '../../nodes/runtime/table/record';
import { table } from '../../nodes/LinkManager/resources';

/**
 * Rows that could not work; none of them compiles. Only the type check reads this file. Each line below
 * `@ts-expect-error` is an error; where it were none, the type check would say so.
 */

declare const id: Field<number>;
declare const paging: Paging;
declare const readEntry: Batch['readEntry'];

const words = { name: 'Get', action: 'Get a thing', description: 'Get it' };
const output = { schema: record({ id: anInteger }), select: () => ({}) };

/** Rows that work. */
const get = operation('GET /things/{id}', { ...words, path: { id }, output });
const getAll = operation('GET /things', { ...words, query: { q: text('Search') }, paging, output });
operation('GET /things/{id}/of/{name?}', { ...words, path: { id, name: text('Name') }, output });
const mark = operation('POST /mark', {
	...words,
	body: { things: ids('Things', 'thing', { description: 'Things' }) },
	batch: { field: 'things', readEntry },
	output,
});
const thing = resource(
	'Thing',
	{ description: 'Things', listing: { list: 'getAll', label: String } },
	{ get, getAll, mark },
);

// @ts-expect-error A route with a placeholder needs a path.
operation('GET /things/{id}', { ...words, output });

// @ts-expect-error A path lacks a placeholder of its route.
operation('GET /things/{id}/of/{name}', { ...words, path: { id }, output });

// @ts-expect-error The route lacks a placeholder of the path.
operation('GET /things/{id}', { ...words, path: { id, name: id }, output });

// @ts-expect-error The route has no placeholders at all.
operation('GET /things', { ...words, path: { id }, output });

operation('POST /mark', {
	...words,
	body: { things: ids('Things', 'thing', { description: 'Things' }) },
	// @ts-expect-error What is batched is a field of query or body.
	batch: { field: 'thing', readEntry },
	output,
});

resource(
	'Thing',
	{
		description: 'Things',
		// @ts-expect-error What lists the records is an operation of the resource.
		listing: { list: 'getMany', label: String },
	},
	{ get, getAll },
);

resource(
	'Thing',
	{ description: 'Things' },
	{
		mark: operation('POST /mark', {
			...words,
			body: { things: ids('Things', 'thing', { description: 'Things' }) },
			// @ts-expect-error Inside a resource as well.
			batch: { field: 'thing', readEntry },
			output,
		}),
	},
);

// @ts-expect-error An operation that the resource doesn't have.
void thing.operations.getMany;

// @ts-expect-error Nor do the resources of a service have others than their own.
void table.campaign.operations.getEverything;

operation('POST /rename', {
	...words,
	body: { title: text('Title') },
	// @ts-expect-error The code of a row sees its own fields, and no others.
	prepare: ({ body }) => ({ body: { name: body.name } }),
	output,
});

/** A row of any fields is an operation, as the runtime handles it. */
export const anyRows: Operation[] = [
	get,
	getAll,
	mark,
	thing.operations.get,
	table.campaign.operations.getAll,
];

/** Records that contradict their declaration; none of them compiles. See rows.ts. */

const story = record({ hash: aText, score: optional(anInteger) });
const score = record({ score: optional(anInteger) });
declare const response: Record<string, unknown>;
declare const isScored: boolean;

/** Records that are as declared. */
export const whole = exact(story, { hash: response.hash, score: 1 });
export const least: RecordOf<typeof story> = exact(story, { hash: response.hash });
export const either = exact(story, { hash: response.hash, ...(isScored && { score: 1 }) });

// @ts-expect-error A declared member is not emitted.
exact(story, { score: 1 });

// @ts-expect-error A member that may be lacking is not declared so.
exact(story, { ...(isScored && { hash: response.hash }) });

// @ts-expect-error A member is not declared.
exact(story, { hash: response.hash, title: response.title });

// @ts-expect-error Nor is one that may be lacking.
exact(story, { hash: response.hash, ...(isScored && { title: response.title }) });

// @ts-expect-error An answer may hold anything.
exact(score, response);

// @ts-expect-error A copy of it has no known members either. Next to other members, TypeScript doesn't notice.
exact(score, { ...response });

// @ts-expect-error What a simplified record is made of is what it declares.
simplified(story, () => ({ title: response.title }));
