import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse, ItemApi, Paging, RequestParts, RequestRow, Result } from '../api-types';
import type { Field, Fields, Values } from '../fields/field';
import type { Existing, Listing } from './listing';
import {
	aBoolean,
	aText,
	listOf,
	onlyDeclared,
	record,
	type JsonSchema,
	type RecordOf,
	type RecordSchema,
} from './record';
import { camelCase, capitalized, inSentence, isRecord } from '../values';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** As in the interface document: `METHOD /path/{name}`. `{name?}` is optional; the slash before it stays. */
export type Route = `${Method} /${string}`;

type Placeholders<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `${infer Optional}?` ? Optional : Name) | Placeholders<Rest>
	: never;

/** How the lists of many items are joined into few requests. */
export interface Batch<Name extends string = string> {
	/** The field of the query or body that takes a list. Each item has one or more entries for it. */
	field: Name;
	/** The most entries that the service accepts in a request; it limits the user's Batch Size. */
	max?: number;
	/** After a refusal, each entry is sent alone, to find the bad one; in idempotent rows after HTTP 500, too. */
	splitOnFailure?: true;
	/** Replaces the request if the entries need several ones. `ask` sends one request for the given entries. */
	send?(entries: string[], api: Api, ask: (entries: string[]) => Promise<ApiResponse>): Promise<ApiResponse>;
	/** The record of an entry in the response, or the words of its refusal; undefined if the response lacks the entry. */
	readEntry(response: ApiResponse, entry: string): { record: IDataObject } | { refusal: string } | undefined;
}

/** The fields of a row, by the part of the request that takes their values. */
export interface RowFields {
	/** Ids that are part of the path, by placeholder. */
	path: Fields;
	query: Fields;
	body: Fields;
	/** Not sent: the row's hooks read them. */
	params: Fields;
}

/** The parameter values that a row's hooks receive, typed by the row's fields. */
export interface Inputs<Row extends RowFields = RowFields> {
	path: Values<Row['path']>;
	query: Values<Row['query']>;
	body: Values<Row['body']>;
	params: Values<Row['params']>;
}

/**
 * The declaration of an operation. What an item sends is decided by the first of these that its row has: `batch`, `run`,
 * `paging`, `existing`, `present`. `attach` adds to the result of `existing`.
 */
export interface RowOptions<Row extends RowFields = RowFields> extends Pick<
	RequestRow,
	'postsLongQuery' | 'idempotent'
> {
	/** The option's name, such as `Get Statistics`. Default: the words of its key, such as `getStatistics`. */
	name?: string;
	/** Its action, such as `Get many campaigns`. Default: the name with the resource, such as `Create a short link`. */
	action?: string;
	description: string;
	path?: Row['path'];
	query?: Row['query'];
	body?: Row['body'];
	params?: Row['params'];
	/** Makes the operation a list, with Return All and Limit; one item per record. */
	paging?: Paging;
	/** Offers If Exists. The resource then needs a `listing` and an operation `update` with the path `{id}`. */
	existing?: Existing;
	batch?: Batch;
	/** No endpoint of its own: API Request's list of paths and the contract tests leave it out. */
	isExtra?: boolean;
	output: Output;
	/** Checks the inputs and completes the request. Returns the parts that it changes. May send requests. */
	prepare?(inputs: Inputs<Row>, api: Api): Partial<RequestParts> | Promise<Partial<RequestParts>>;
	/** Turns the response into results. Default: the record that `output` selects. */
	present?(inputs: Inputs<Row>, response: ApiResponse, api: ItemApi): Promise<Result[]>;
	/** Adds files to the result of `existing`. `record` was created or found. */
	attach?(inputs: Inputs<Row>, record: IDataObject, api: ItemApi): Promise<Pick<Result, 'binary'>>;
	/** Replaces the request with `parts`. Returns results and errors of parts. If it throws 'undone', it wrote nothing. */
	run?(inputs: Inputs<Row>, api: ItemApi, parts: RequestParts): Promise<Array<Result | Error>>;
}

export interface Output {
	schema: RecordSchema;
	/** Selects the record in the response; undefined if there is none. */
	select(response: ApiResponse, path: Record<string, unknown>): unknown;
	/** Makes the output record. Default: the service's record. */
	shape?: Shape;
	/** The members of the record that the prepared body, or one field of it, sets: by their names in the record. If Exists compares them. */
	fromBody?(body: Record<string, unknown>): Record<string, unknown>;
	/** The members that every new record has, such as 0 clicks. Those of `fromBody` and of the response override them. */
	initial?(): IDataObject;
}

/** An output record, and how it is made from the service's record. */
export interface Shape<Schema extends RecordSchema = RecordSchema> {
	schema: Schema;
	/** Offers Simplify. If the user turns it off, the service's own record is returned. */
	offersSimplify?: true;
	/** Adds members that the response may lack. May send requests. */
	enrich?(records: IDataObject[], response: ApiResponse, api: Api): Promise<IDataObject[]>;
	/** `params` and `body` are the values of the row's fields of that name. */
	map(
		record: IDataObject,
		response: ApiResponse,
		params: Record<string, unknown>,
		body?: Record<string, unknown>,
	): RecordOf<Schema>;
}

/** Declares the shape of a record: `map` returns what `schema` declares. */
export const shaped = <Schema extends RecordSchema>(
	schema: Schema,
	map: Shape<NoInfer<Schema>>['map'],
	enrich?: Shape['enrich'],
): Shape<Schema> => ({ schema, map, enrich });

export const simplified = <Schema extends RecordSchema>(
	...shape: Parameters<typeof shaped<Schema>>
): Shape<Schema> => ({
	...shaped(...shape),
	offersSimplify: true,
});

export const resultSchema = ({ schema, shape }: Output): RecordSchema => shape?.schema ?? schema;

/** One operation, with the types of its fields. Without type arguments: any operation. */
export interface Operation<Row extends RowFields = RowFields> extends RowOptions<Row> {
	/** Its resource sets the defaults of `name` and `action`. */
	name: string;
	action: string;
	route: Route;
	method: Method;
	template: string;
	/** The collection that holds its optional fields, by n8n's custom. */
	collection: { name: string; displayName: string; description: string };
	path: Row['path'];
	query: Row['query'];
	body: Row['body'];
	params: Row['params'];
}

/** Requires a path field for each placeholder of the route, and no others. */
type PathOption<AnyRoute extends Route, Path> = [Placeholders<AnyRoute>] extends [never]
	? { path?: Record<string, never> }
	: { path: Path & Record<Exclude<keyof Path, Placeholders<AnyRoute>>, never> };

type NoFields = Record<never, never>;

export function operation<
	const OwnRoute extends Route,
	const Path extends Record<Placeholders<OwnRoute>, Field> = Record<Placeholders<OwnRoute>, never>,
	const Query extends Fields = NoFields,
	const Body extends Fields = NoFields,
	const Params extends Fields = NoFields,
>(
	route: OwnRoute,
	row: RowOptions<{ path: Path; query: Query; body: Body; params: Params }> &
		PathOption<OwnRoute, NoInfer<Path>> & {
			batch?: Batch<NoInfer<keyof Query | keyof Body> & string>;
		},
): Operation<NoInfer<{ path: Path; query: Query; body: Body; params: Params }>> {
	const [method, template] = route.split(' ') as [Method, string];
	const fields = {
		path: inForm(row.path),
		query: inForm(row.query),
		body: inForm(row.body),
		params: inForm(row.params),
	};
	return { ...row, ...fields, route, method, template, collection: COLLECTIONS[method] } as ReturnType<
		typeof operation<OwnRoute, Path, Query, Body, Params>
	>;
}

/** Fields with the names of their parameters. Default: the field's name in the request, in camelCase. */
const inForm = (fields: Fields = {}): Fields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, field]) => [
			name,
			{ ...field, paramName: field.paramName ?? camelCase(name) },
		]),
	);

const ADDITIONAL_FIELDS = {
	name: 'additionalFields',
	displayName: 'Additional Fields',
	description: 'Optional fields',
};
const COLLECTIONS: Record<Method, Operation['collection']> = {
	GET: { name: 'filters', displayName: 'Filters', description: 'What to return; blank filters are left out' },
	POST: ADDITIONAL_FIELDS,
	PUT: {
		name: 'updateFields',
		displayName: 'Update Fields',
		description: 'The fields to change; blank ones and all others stay unchanged',
	},
	DELETE: ADDITIONAL_FIELDS,
};

/** One resource with its operations by name. Without type arguments: any resource. */
export interface Resource<Operations extends Record<string, Operation> = Record<string, Operation>> {
	name: string;
	description: string;
	/** By the name that workflows save. In the menu, the first one comes first and the others by name. */
	operations: Operations;
	listing?: Listing;
}

/** The name of an operation with this key. n8n's custom is to call lists Get Many. */
const nameOf = (key: string): string =>
	key === 'getAll' ? 'Get Many' : capitalized(key.replace(/[A-Z]/g, ' $&')).replace(' By ', ' by ');

/** The action of an operation with this key and name, for a resource such as `Short Link`. */
function actionOf(key: string, name: string, resourceName: string): string {
	const noun = inSentence(resourceName);
	return key === 'getAll' ? `Get many ${noun}s` : `${name} a ${noun}${key === 'delete' ? ' for good' : ''}`;
}

export const resource = <const Operations extends Record<string, Operation>>(
	name: string,
	about: { description: string; listing?: Listing<NoInfer<keyof Operations & string>> },
	operations: Operations,
): Resource<Operations> => {
	const named = Object.entries(operations).map(([key, row]) => {
		const { name: own = nameOf(key), action = actionOf(key, own, name) } = row as RowOptions;
		return [key, { ...row, name: own, action }];
	});
	return { name, ...about, operations: Object.fromEntries(named) as Operations };
};

export type Table = Record<string, Resource>;

/** The fields of an operation by the names of their parameters. */
export const fieldsOf = ({ path, params, query, body }: Operation): Array<[string, Field]> =>
	[path, params, query, body].flatMap((fields: Fields) =>
		Object.entries(fields).map(([name, field]): [string, Field] => [field.paramName ?? name, field]),
	);

/** The record is the value of one key of the response. */
export const recordUnder = (key: string, schema: RecordSchema): Output => ({
	schema,
	select: ({ json }) => (isRecord(json) ? json[key] : undefined),
});

export const offersWholeRecord = ({ output }: Operation): boolean => output.fromBody !== undefined;

export const membersFromBody = ({ schema, fromBody }: Output, body: Record<string, unknown>): IDataObject =>
	onlyDeclared(schema, schema.coerce(fromBody?.(body) ?? {}) as IDataObject);

/** For lists, whose `paging` selects the records. */
export const listedRecord = (schema: RecordSchema): Output => ({ schema, select: ({ json }) => json });

/** Added by If Exists: whether the record existed, and which of its members differ from the request. */
const existence = record({
	existed: aBoolean.described('Whether the record existed before'),
	differs: listOf(aText).described(
		'Fields whose values differ from yours, and those that the run did not write and the service does not show',
	),
});

/** The JSON Schema of an operation's output, for n8n's preview. */
export const outputSchema = (row: Operation): JsonSchema & { type: string } => ({
	type: 'object',
	properties: {
		...resultSchema(row.output).jsonSchema.properties,
		...(row.existing && existence.jsonSchema.properties),
	},
});
