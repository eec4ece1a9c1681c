/** Copies the database of a sandbox that runs in this process. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { readerService } from '../../../sandbox/reader/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import type { Service } from '../../../sandbox/shared/service.ts';
import { startServer, type RunningServer } from '../../../sandbox/shared/start-server.ts';

/** Starts services on a free port, waits until the feeds are fetched, and returns the database. */
export async function startWithDatabase(
	services: readonly Service[],
	options: Partial<SandboxOptions>,
): Promise<{ server: RunningServer; db: DatabaseSync }> {
	let db: DatabaseSync | undefined;
	const observed = onDatabaseOpen(services, (opened) => (db = opened));
	const server = await startServer(observed, { port: 0, rateLimit: null, ...options });
	// The reader responds to nothing before it has fetched its feeds.
	await fetch(`${server.url}${readerService.prefix}/nothing`);
	return { server, db: db! };
}

/** The same services; `listener` is called with their database before they start. */
export function onDatabaseOpen(
	[first, ...others]: readonly Service[],
	listener: (db: DatabaseSync) => void,
): Service[] {
	const observed: Service = {
		...first!,
		start: (app, context) => {
			listener(context.db);
			return first!.start(app, context);
		},
	};
	return [observed, ...others];
}

/** The statements that create the tables, and the rows of each table. */
export interface DatabaseCopy {
	schema: string[];
	tables: Map<string, SQLOutputValue[][]>;
}

export function copyDatabase(db: DatabaseSync): DatabaseCopy {
	const rows = db.prepare("SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all();
	const tables = rows.filter(({ type }) => type === 'table').map(({ name }) => String(name));
	return {
		schema: rows.map(({ sql }) => String(sql)),
		tables: new Map(
			tables.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all().map(Object.values)]),
		),
	};
}

/** Fills an empty database with a copy. */
export function fillDatabase(db: DatabaseSync, { schema, tables }: DatabaseCopy): void {
	// Some rows are inserted before the rows that they reference.
	db.exec('PRAGMA foreign_keys = OFF; BEGIN');
	for (const statement of schema) db.exec(statement);
	for (const [name, rows] of tables) {
		if (!rows[0]) continue;
		const insert = db.prepare(`INSERT INTO ${name} VALUES (${rows[0].map(() => '?').join()})`);
		for (const row of rows) insert.run(...row);
	}
	db.exec('COMMIT; PRAGMA foreign_keys = ON');
}
