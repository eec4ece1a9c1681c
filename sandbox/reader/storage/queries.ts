import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { inTransaction } from '../../shared/database.ts';
import { schema } from './schema.ts';

/** Runs SQL on the reader's tables; prepares each statement once. Callers specify the row type (`rows.ts`). */
export class Queries {
	readonly #db: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	constructor(db: DatabaseSync) {
		this.#db = db;
		db.exec(schema);
	}

	all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
		return this.#prepare(sql).all(...values) as unknown[] as Row[];
	}

	get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
		return this.#prepare(sql).get(...values) as unknown as Row | undefined;
	}

	/** The number in the only column of the only row. */
	count(sql: string, ...values: SQLInputValue[]): number {
		return Object.values(this.#prepare(sql).get(...values) ?? {})[0] as number;
	}

	run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
		const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
		return { changes: Number(changes), lastId: Number(lastInsertRowid) };
	}

	/** Runs `work` in a transaction, or as part of the current one. */
	transaction<Result>(work: () => Result): Result {
		return inTransaction(this.#db, work);
	}

	#prepare(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (statement === undefined) {
			statement = this.#db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}

/** A condition of a WHERE clause with its values. */
export interface Condition {
	sql: string;
	values: (string | number)[];
}

/** A list for `IN (SELECT value FROM json_each(?))`, so that one statement serves lists of every length. */
export function inList(values: readonly (number | string)[]): string {
	return JSON.stringify(values);
}
