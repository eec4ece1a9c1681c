import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inTransaction } from '../shared/database.ts';
import { schema, type Tables } from './tables.ts';

/** The position and size of one page of a list. */
export interface Slice {
	limit: number;
	offset: number;
}

export interface Found<Row> {
	rows: Row[];
	/** Number of matches on all pages. */
	total: number;
}

export interface Search<Row> {
	where?: Partial<Row>;
	/** Text that at least one of the columns must contain, case-insensitively. */
	text?: { contains: string; in: readonly (keyof Row & string)[] };
	/** Column to sort by, highest first; then newest first. */
	order?: keyof Row & string;
}

type Values = Record<string, SQLInputValue>;

/** Reads and writes rows of the link service's tables. Table and column names are from code; values are always bound. */
export class Store {
	readonly #db: DatabaseSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
		db.exec(schema);
	}

	/** Runs `work` in a transaction. */
	transaction<Result>(work: () => Result): Result {
		return inTransaction(this.#db, work);
	}

	/** @returns the new row's id */
	insert<Name extends keyof Tables>(table: Name, row: Partial<Omit<Tables[Name], 'id'>>): number {
		const values = row as Values;
		const columns = Object.keys(values);
		const result = this.#db
			.prepare(
				`INSERT INTO links_${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
			)
			.run(...Object.values(values));
		return Number(result.lastInsertRowid);
	}

	update<Name extends keyof Tables>(table: Name, id: number, changes: Partial<Tables[Name]>): void {
		const values = definedOnly(changes);
		const columns = Object.keys(values);
		if (columns.length === 0) return;
		this.#db
			.prepare(
				`UPDATE links_${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
			)
			.run(...Object.values(values), id);
	}

	remove<Name extends keyof Tables>(table: Name, where: Partial<Tables[Name]>): void {
		const condition = conditionOf<Tables[Name]>({ where });
		this.#db.prepare(`DELETE FROM links_${table}${condition.sql}`).run(...condition.values);
	}

	find<Name extends keyof Tables>(table: Name, where: Partial<Tables[Name]>): Tables[Name] | undefined {
		const condition = conditionOf<Tables[Name]>({ where });
		return this.#db.prepare(`SELECT * FROM links_${table}${condition.sql}`).get(...condition.values) as
			Tables[Name] | undefined;
	}

	/** Lists rows, newest first; all rows without a slice. */
	list<Name extends keyof Tables>(
		table: Name,
		search: Search<Tables[Name]> = {},
		slice: Slice = { limit: -1, offset: 0 },
	): Tables[Name][] {
		const condition = conditionOf(search);
		const order = search.order === undefined ? '' : `${search.order} DESC, `;
		return this.#db
			.prepare(`SELECT * FROM links_${table}${condition.sql} ORDER BY ${order}id DESC LIMIT ? OFFSET ?`)
			.all(...condition.values, slice.limit, slice.offset) as unknown as Tables[Name][];
	}

	count<Name extends keyof Tables>(table: Name, search: Search<Tables[Name]> = {}): number {
		const condition = conditionOf(search);
		const row = this.#db
			.prepare(`SELECT count(*) AS count FROM links_${table}${condition.sql}`)
			.get(...condition.values);
		return Number(row?.count);
	}

	/** Counts the values of a column, most frequent first. */
	tally<Name extends keyof Tables>(
		table: Name,
		column: keyof Tables[Name] & string,
		where: Partial<Tables[Name]>,
	): { value: string; count: number }[] {
		const condition = conditionOf<Tables[Name]>({ where });
		return this.#db
			.prepare(
				`SELECT ${column} AS value, count(*) AS count FROM links_${table}${condition.sql} GROUP BY ${column} ORDER BY count DESC, value`,
			)
			.all(...condition.values) as { value: string; count: number }[];
	}
}

/** The members of a row that have a value. */
export function definedOnly(row: object): Values {
	return Object.fromEntries(Object.entries(row as Values).filter(([, value]) => value !== undefined));
}

function conditionOf<Row>({ where = {}, text }: Search<Row>): { sql: string; values: SQLInputValue[] } {
	const equal = definedOnly(where);
	const terms = Object.keys(equal).map((column) => `${column} = ?`);
	const values = Object.values(equal);
	if (text !== undefined) {
		terms.push(`(${text.in.map((column) => `instr(lower(${column}), lower(?)) > 0`).join(' OR ')})`);
		values.push(...text.in.map(() => text.contains));
	}
	return { sql: terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`, values };
}
