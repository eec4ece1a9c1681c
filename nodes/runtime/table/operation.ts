import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { ApiResponse, ApiRequest } from '../http-types';
import type { Field, Fields, ParameterReader, Values } from '../fields/field';
import type { Existing, Listing, Paging } from './listing';
import { aBoolean, aText, listOf, type JsonSchema, type RecordOf, type RecordSchema } from './record';
import { isRecord } from '../values';

/**
 * `METHOD /path/with/{placeholders}`, as the interface document writes it. One that may be left out is written
 * `{name?}`; the slash before it stays.
 */
export type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

type Placeholders<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `${infer Optional}?` ? Optional : Name) | Placeholders<Rest>
	: never;

/** The parts of one request, before it is encoded. */
export interface RequestParts {
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
	/** What the answer will be, where it isn't JSON. */
	accepts?: ApiRequest['accepts'];
	/** The credential stays out of it. */
	anonymous?: boolean;
}

/** One record as a node hands it on; binary files travel beside the JSON. */
export interface Result {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
}

/** How the lists of many items are joined into few requests. */
export interface Batch<Name extends string = string> {
	/** The field of query or body that takes many; each item brings one or several. */
	field: Name;
	/** How many go into one request unless the user says otherwise. */
	size: number;
	/** The most that the service takes in one request, whatever the user says. */
	max?: number;
	/**
	 * If a batch is refused, resend each entry alone to find the culprit. 'failed' also does so after HTTP 500; idempotent
	 * rows only.
	 */
	splitOnFailure?: 'refused' | 'failed';
	/** Takes the place of sending one request, where it takes more than that; `ask` sends the parts. */
	send?(
		entries: string[],
		api: Api,
		parts: RequestParts,
		ask: (parts: RequestParts) => Promise<ApiResponse>,
	): Promise<ApiResponse>;
	/** What the response says of one entry: its record, or why it failed. */
	outcome(response: ApiResponse, entry: string): { record: IDataObject } | { failure: string };
}

/** One page of a list. */
export interface Page {
	/** The records, tidied. */
	records: IDataObject[];
	response: ApiResponse;
	/** Whether more pages follow. */
	more: boolean;
	/** What the service says beside the records. */
	warning?: string;
}

/**
 * How operations and triggers send requests: for one item, or for the one account of a poll.
 * A failed request throws an error that names the item.
 */
export interface Api {
	/** Sends a request that no row declares. */
	send(request: ApiRequest): Promise<ApiResponse>;
	/** Sends the request of a row. */
	ask(row: Operation, parts?: Partial<RequestParts>): Promise<ApiResponse>;
	/** Reads one page of a list, of `size` records or as large as is useful. */
	page(row: Operation, number: number, parts?: Partial<RequestParts>, size?: number): Promise<Page>;
	/** Does something once in a run or poll for each account; a failure is not remembered. */
	once<Known>(what: string, work: () => Promise<Known>): Promise<Known>;
	/** Requests left in the rate limit's window by the last response; Infinity if it doesn't say. */
	left(): number;
	/** Whether a poll has time for another request; operations always have. */
	hasTime(): boolean;
	/** Identifies the service and account: what is remembered for one never serves another. */
	account(): Promise<string>;
	/** The user to whom the data of the responses belongs, if they say so. */
	user(): string | undefined;
	/** The error to throw for what the parameters make impossible. */
	inputError(message: string, advice: string): Error;
	/** The same for one parameter that can't be used: its label and the reason make the sentence. */
	parameterError(label: string, reason: string, advice?: string): Error;
	/** The error to throw when the service did not do what was asked, though it doesn't call that a failure. */
	apiError(message: string, description: string): Error;
	/** Shows the user a message that is not an error. */
	hint(message: string): void;
}

/** What only the item of an operation has beside the service. */
export interface ItemApi extends Api {
	/** The record of a response as a result; throws if it has none. */
	record(response: ApiResponse): Promise<Result>;
	/** Records as results: each shaped, or the whole response if the user wants it raw. */
	results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]>;
	/** How many records the user wants; Infinity for all. */
	limit(): number;
	/**
	 * Expects that later responses of this run still show a change of a list that the service writes back whole; else
	 * the item is in doubt. `state` is the list in this response; a later change of the same `changed` replaces this one.
	 */
	expectKept<State>(
		list: string,
		state: State,
		changed: unknown,
		isShown: (state: State) => boolean,
	): Promise<void>;
	/** A file to hand on. */
	file(bytes: Uint8Array, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** A file of the input item, by the name of its binary property. */
	upload(property: string): Promise<{ bytes: Buffer; fileName: string }>;
	/** Whether the user wants the service's answer untouched. */
	readonly isRaw: boolean;
}

/** What the code of a row works with, typed by the row's own fields. */
export interface Inputs<
	P extends Fields = Fields,
	Q extends Fields = Fields,
	B extends Fields = Fields,
	F extends Fields = Fields,
> {
	path: Values<P>;
	query: Values<Q>;
	body: Values<B>;
	params: Values<F>;
}

/** What a row says about one operation. */
export interface RowOptions<
	P extends Fields = Fields,
	Q extends Fields = Fields,
	B extends Fields = Fields,
	F extends Fields = Fields,
> {
	/** The option's name, as n8n names it: `Get Many`. */
	name: string;
	/** `Get many campaigns`. */
	action: string;
	description: string;
	/** Ids that are part of the path, by placeholder. */
	path?: P;
	query?: Q;
	body?: B;
	/** Parameters of the form that are not sent under a name of their own; `prepare` uses them. */
	params?: F;
	/** Makes a list of it: Return All, Limit, one item per record. */
	paging?: Paging;
	/** Offers Return All and Limit, where `run` makes the list. */
	limited?: boolean;
	/** A query too long for a URL goes as a form: the service takes both (seen in the wild). */
	postsLongQuery?: boolean;
	/** Done twice it comes to the same as done once: a lost answer is asked for again. */
	idempotent?: boolean;
	/** Which options of its service do something for it. */
	options?: readonly string[];
	/** Whether it writes, if that depends on the parameters. Default: every method but GET. */
	changes?(get: ParameterReader['get']): boolean;
	/** Offers If Exists. */
	existing?: Existing;
	/** Joins items into few requests. */
	batch?: Batch<NoInfer<keyof Q | keyof B> & string>;
	/** Why it may run beside other writes, where the service's writes go one at a time. */
	concurrentWrites?: string;
	/** Serves people, but is no endpoint of the interface by itself. */
	composite?: boolean;
	/** The record that comes out. */
	output: Output;
	/** Checks the inputs, asking the service if need be, and returns the parts of the request that change. */
	prepare?(inputs: Inputs<P, Q, B, F>, api: Api): Partial<RequestParts> | Promise<Partial<RequestParts>>;
	/** What a response becomes, unless that is one record. */
	present?(inputs: Inputs<P, Q, B, F>, response: ApiResponse, api: ItemApi): Promise<Result[]>;
	/** Replaces the single request of `parts`; returns the results, and an error for each part of the item that failed. */
	run?(inputs: Inputs<P, Q, B, F>, api: ItemApi, parts: RequestParts): Promise<Array<Result | Error>>;
}

/** What one answer becomes. */
export interface Output {
	schema: RecordSchema;
	/** Picks the record out of the answer; undefined if the answer doesn't hold one. */
	select(response: ApiResponse, path: Record<string, unknown>): unknown;
	/** The record as people want it; without one, the service's record comes out. */
	shape?: Shape;
	/** What is known of a record that was written from what was sent, by the names of the record. */
	sent?(body: Record<string, unknown>): Record<string, unknown>;
	/** Other members that follow from the fields of a write; the response wins over them. */
	implied?(input: Record<string, unknown>): Record<string, unknown>;
}

/** A record as people want it, and how it is made from the service's. */
export interface Shape<K extends RecordSchema = RecordSchema> {
	schema: K;
	/** Offers Simplify. Switched off, the service's own record comes out. */
	optional?: true;
	/** The records with what else is made of them, where their answer may lack it. */
	enrich?(records: IDataObject[], response: ApiResponse, api: Api): Promise<IDataObject[]>;
	/** `sent` are the fields of the body, as the form has them. */
	map(
		record: IDataObject,
		response: ApiResponse,
		form: Record<string, unknown>,
		sent?: Record<string, unknown>,
	): RecordOf<K>;
}

/** Declares the shape of a record: `map` returns what `schema` declares. */
export const shaped = <K extends RecordSchema>(
	schema: K,
	map: Shape<NoInfer<K>>['map'],
	enrich?: Shape['enrich'],
): Shape<K> => ({ schema, map, enrich });

/** A shape that Simplify switches off. */
export const simplified = <K extends RecordSchema>(...shape: Parameters<typeof shaped<K>>): Shape<K> => ({
	...shaped(...shape),
	optional: true,
});

/** The record that comes out. */
export const resultSchema = ({ schema, shape }: Output): RecordSchema => (shape ?? { schema }).schema;

/** One operation, with the types of its fields; without them it is any operation, as the runtime handles it. */
export interface Operation<
	P extends Fields = Fields,
	Q extends Fields = Fields,
	B extends Fields = Fields,
	F extends Fields = Fields,
> extends RowOptions<P, Q, B, F> {
	route: Route;
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	template: string;
	/** The collection that holds its optional fields, by n8n's custom. */
	collection: { name: string; displayName: string; description: string };
	path: P;
	query: Q;
	body: B;
	params: F;
}

/** What the path of a route demands of its row: a field for each placeholder, and none besides. */
type PathOption<R extends Route, P> = [Placeholders<R>] extends [never]
	? { path?: Record<string, never> }
	: { path: P & Record<Exclude<keyof P, Placeholders<R>>, never> };

type NoFields = Record<never, never>;

/** Says in its type of an operation whether it has `existing`. */
type IfExisting<MatchedBy extends string> = [MatchedBy] extends [never] ? unknown : { existing: Existing };

/** Declares one operation. */
export function operation<
	const R extends Route,
	const P extends Record<Placeholders<R>, Field> = Record<Placeholders<R>, never>,
	const Q extends Fields = NoFields,
	const B extends Fields = NoFields,
	const F extends Fields = NoFields,
	S extends string = never,
>(
	route: R,
	row: RowOptions<P, Q, B, F> & PathOption<R, NoInfer<P>> & { existing?: { matchedBy: S } },
): Operation<NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<F>> & IfExisting<S> {
	const [method, template] = route.split(' ') as [Operation['method'], string];
	const declared = { path: {}, query: {}, body: {}, params: {}, ...row };
	return {
		...(declared as Required<typeof declared>),
		route,
		method,
		template,
		collection: COLLECTIONS[method],
	} as Operation<P, Q, B, F> & IfExisting<S>;
}

const WRITTEN = {
	name: 'additionalFields',
	displayName: 'Additional Fields',
	description: 'Optional fields',
};
const COLLECTIONS: Record<Operation['method'], Operation['collection']> = {
	GET: { name: 'filters', displayName: 'Filters', description: 'What to return, and in which order' },
	POST: WRITTEN,
	PUT: {
		name: 'updateFields',
		displayName: 'Update Fields',
		description: 'The fields to change; all others stay unchanged',
	},
	DELETE: WRITTEN,
};

/** One resource, with its operations by name; without their names it is any resource, as the runtime handles it. */
export interface Resource<Operations extends Record<string, Operation> = Record<string, Operation>> {
	name: string;
	/** What a person should know of the resource, in one sentence. */
	description: string;
	operations: Operations;
	listing?: Listing;
}

/** What a resource says of its list: where an operation looks for existing records, there must be one. */
type ListingOption<Operations extends Record<string, Operation>> = [
	Extract<Operations[keyof Operations], { existing: Existing }>,
] extends [never]
	? { listing?: Listing<keyof Operations & string> }
	: { listing: Listing<keyof Operations & string> };

/** Declares a resource. */
export const resource = <const Operations extends Record<string, Operation>>(
	name: string,
	about: { description: string } & ListingOption<NoInfer<Operations>>,
	operations: Operations,
): Resource<Operations> => ({ name, ...about, operations });

export type Table = Record<string, Resource>;

/** The fields of an operation by the names of their parameters. */
export const fieldsOf = ({ path, params, query, body }: Operation): Array<[string, Field]> =>
	[path, params, query, body].flatMap((fields: Fields) =>
		Object.entries(fields).map(([name, field]): [string, Field] => [field.paramName ?? name, field]),
	);

/** The record is under one key of the response. */
export const recordUnder = (key: string, schema: RecordSchema): Output => ({
	schema,
	select: ({ json }) => (isRecord(json) ? json[key] : undefined),
});

/** One record of a list. */
export const listedRecord = (schema: RecordSchema): Output => ({ schema, select: ({ json }) => json });

/** Members of a record that may have existed: whether it did, and which members differ from the request. */
const existence = { existed: aBoolean.jsonSchema, differs: listOf(aText).jsonSchema };

/** The JSON Schema of what an operation puts out, for n8n's preview of output data. */
export const outputSchema = (row: Operation): JsonSchema & { type: string } => ({
	type: 'object',
	properties: {
		...resultSchema(row.output).jsonSchema.properties,
		...(row.existing && existence),
	},
});
