import { setImmediate } from 'node:timers/promises';
import type { Queries } from './queries.ts';

/**
 * Lists that real hosts read whole, change and write back (`lost-writes`): of two changes at once the later takes the
 * earlier one back, and both were answered as done.
 */
export interface WholeList {
	/** The current list. */
	read(): unknown[];
	/** Writes back the list that was read. */
	write(entries: unknown[]): void;
}

type Row = Record<string, string | number | null>;
type ListTable = 'reader_follows' | 'reader_mutes' | 'reader_replies' | 'reader_likes';

/** The rows of a table that belong together. */
export function rowsOf(
	db: Queries,
	table: ListTable,
	owner: 'user_id' | 'share_id',
	id: number | string,
): WholeList {
	const rows = () => db.all<Row>(`SELECT * FROM ${table} WHERE ${owner} = ?`, id);
	const without = (some: Row[], others: Row[]) => {
		const known = new Set(others.map((row) => JSON.stringify(row)));
		return some.filter((row) => !known.has(JSON.stringify(row)));
	};
	return {
		read: rows,
		write: (entries) => {
			const [before, now] = [entries as Row[], rows()];
			for (const row of without(now, before)) {
				const columns = Object.keys(row).map((name) => `${name} IS ?`);
				db.run(`DELETE FROM ${table} WHERE ${columns.join(' AND ')}`, ...Object.values(row));
			}
			for (const row of without(before, now)) {
				const values = Object.values(row);
				db.run(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, ...values);
			}
		},
	};
}

/** Makes requests that have read a list wait for others before they write it back. */
export class Writers {
	#waiting: (() => void)[] = [];

	/** Resolves when this many wait, or, for 1, when those that came at once have read, too. */
	async meet(atLeast: number): Promise<void> {
		await setImmediate();
		await new Promise<void>((resolve) => {
			this.#waiting.push(resolve);
			if (this.#waiting.length >= atLeast) this.#waiting.splice(0).forEach((go) => go());
		});
	}
}
