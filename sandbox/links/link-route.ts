import { type z } from 'zod/v4';
import type { LinkContext } from './context.ts';
import { Failure, invalid, missing, readPaging, type RouteResult } from './responses.ts';
import { firstProblem } from './fields.ts';
import type { Found, Slice } from './link-store.ts';
import type { AccountRow, OwnedTable, Tables } from './tables.ts';

/** An authenticated API request. */
export class Call<Body = unknown> {
	readonly context: LinkContext;
	readonly account: AccountRow;
	readonly params: Record<string, string>;
	readonly query: Record<string, unknown>;
	readonly body: Body;

	constructor(given: {
		context: LinkContext;
		account: AccountRow;
		params: Record<string, string>;
		query: Record<string, unknown>;
		body: Body;
	}) {
		this.context = given.context;
		this.account = given.account;
		this.params = given.params;
		this.query = given.query;
		this.body = given.body;
	}

	get store() {
		return this.context.store;
	}

	/** The integer of a path segment. */
	id(name = 'id'): number {
		const text = this.params[name] ?? '';
		if (!/^\d{1,15}$/.test(text))
			throw invalid(`The ${name} in the address must be an integer, not "${text}".`);
		return Number(text);
	}

	/** Finds a record of this account. @throws Failure with the noun if it does not exist */
	own<Name extends OwnedTable>(table: Name, id: number, noun: string): Tables[Name] {
		const where = { id, account_id: this.account.id } as Partial<Tables[Name]>;
		const row = this.store.find(table, where);
		if (row === undefined) throw missing(`${noun} ${id}`);
		return row;
	}
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One endpoint of the interface document; `path` is below `/api`. */
export interface Route {
	method: Method;
	path: string;
	handle(call: Call): Promise<RouteResult> | RouteResult;
}

/** Defines an endpoint that responds with `error` and these `fields`. */
export function action<Body = undefined>(given: {
	method: Method;
	path: string;
	body?: z.ZodType<Body>;
	run(call: Call<Body>): Promise<object> | object;
}): Route {
	return {
		method: given.method,
		path: given.path,
		async handle(call) {
			const body = given.body === undefined ? (undefined as Body) : parseBody(given.body, call.body);
			const fields = await given.run(new Call({ ...call, body }));
			return { fields };
		},
	};
}

/** Defines an endpoint that responds with one page of a list. */
export function list<Row>(given: {
	path: string;
	/** Key of the entries in the page envelope. */
	collection: string;
	find: (call: Call, slice: Slice) => Found<Row>;
	present: (row: Row, call: Call) => object;
}): Route {
	return {
		method: 'GET',
		path: given.path,
		handle(call) {
			const { page, limit } = readPaging(call.query);
			const { rows, total } = given.find(call, { limit, offset: (page - 1) * limit });
			const entries = rows.map((row) => given.present(row, call));
			return { paged: { collection: given.collection, entries, total, page, limit } };
		},
	};
}

/** Defines an endpoint that lists the account's records in a table. */
export function ownList<Name extends OwnedTable>(given: {
	path: string;
	collection: string;
	table: Name;
	present: (row: Tables[Name], call: Call) => object;
}): Route {
	return list<Tables[Name]>({
		...given,
		find({ store, account }, slice) {
			const search = { where: { account_id: account.id } as Partial<Tables[Name]> };
			return { rows: store.list(given.table, search, slice), total: store.count(given.table, search) };
		},
	});
}

function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
	const parsed = schema.safeParse(body ?? {});
	if (!parsed.success) throw new Failure(400, firstProblem(parsed.error));
	return parsed.data;
}
