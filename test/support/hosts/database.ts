/** The database of a sandbox that runs in this process, and copies of what it holds. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Service } from '../../../sandbox/shared/service.ts';

/** The services; a test gets their database before they start. */
export function withDatabase(
	[first, ...others]: readonly Service[],
	opened: (db: DatabaseSync) => void,
): Service[] {
	const reported: Service = {
		...first!,
		start: (app, context) => {
			opened(context.db);
			return first!.start(app, context);
		},
	};
	return [reported, ...others];
}

/** The statements that make the tables, and the rows of each. */
export interface Copy {
	schema: string[];
	tables: Map<string, SQLOutputValue[][]>;
}

export function copyOf(db: DatabaseSync): Copy {
	const rows = db.prepare("SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all();
	const tables = rows.filter(({ type }) => type === 'table').map(({ name }) => String(name));
	return {
		schema: rows.map(({ sql }) => String(sql)),
		tables: new Map(
			tables.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all().map(Object.values)]),
		),
	};
}

/** Fills an empty database. */
export function fill(db: DatabaseSync, { schema, tables }: Copy): void {
	// Rows are inserted before the rows they reference.
	db.exec('PRAGMA foreign_keys = OFF; BEGIN');
	for (const statement of schema) db.exec(statement);
	for (const [name, rows] of tables) {
		if (!rows[0]) continue;
		const insert = db.prepare(`INSERT INTO ${name} VALUES (${rows[0].map(() => '?').join()})`);
		for (const row of rows) insert.run(...row);
	}
	db.exec('COMMIT; PRAGMA foreign_keys = ON');
}
