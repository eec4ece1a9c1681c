/** Copies, saves and restores the database of a sandbox that runs in this process. */
import type { DatabaseSync, SQLOutputValue, Session } from 'node:sqlite';
import { readerService } from '../../../sandbox/reader/index.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import type { Service } from '../../../sandbox/shared/service.ts';
import { startServer, type RunningServer } from '../../../sandbox/shared/start-server.ts';
import { linkService } from '../../../sandbox/links/index.ts';
import { services } from '../../../sandbox/start-sandbox.ts';
import { ManualClock } from '../clock.ts';

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

/** Tables that are not restored: sessions, and the feeds, which the reader fetches by its own schedule. */
const notRestored = [
	...['reader_sessions', 'reader_oauth_codes', 'reader_oauth_tokens'],
	...['reader_feeds', 'reader_fetches', 'reader_stories'],
];

/** Read stories are compared by order, not by date: with the variant wild, reading one again changes its date. */
const rowsOf = (table: string): string =>
	table === 'reader_reads'
		? `SELECT user_id, story_id, opened, RANK() OVER (PARTITION BY user_id ORDER BY read_at) AS position
			FROM reader_reads ORDER BY user_id, story_id`
		: `SELECT * FROM ${table}`;

/** Unread counts of feeds, which the reader updates whenever a client lists the feeds. */
const UPDATED_BY_READING = 'reader_stored_counts';

/** Both services in this process. Their data can be saved and restored. */
export class RestorableSandbox {
	private readonly tables: string[];
	/** SQLite's record of the changes in each table since `save` or `restore`. */
	private sessions = new Map<string, Session>();

	private readonly server: RunningServer;
	private readonly db: DatabaseSync;

	private constructor(server: RunningServer, db: DatabaseSync) {
		this.server = server;
		this.db = db;
		const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
		this.tables = rows.map(({ name }) => String(name)).filter((name) => !notRestored.includes(name));
		db.exec("ATTACH ':memory:' AS saved");
	}

	/** Starts the services with a stopped clock and without a rate limit. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<RestorableSandbox> {
		const { server, db } = await startWithDatabase(services, { clock: new ManualClock(), ...options });
		return new RestorableSandbox(server, db);
	}

	get origin(): string {
		return this.server.url;
	}

	get linksUrl(): string {
		return this.origin + linkService.prefix;
	}

	get readerUrl(): string {
		return this.origin + readerService.prefix;
	}

	/** Saves all data, for `changes` and `restore`. */
	save(): void {
		for (const table of this.tables) {
			this.db.exec(`DROP TABLE IF EXISTS saved.copy_of_${table}`);
			this.db.exec(`CREATE TABLE saved.copy_of_${table} AS SELECT * FROM main.${table}`);
		}
		this.recordChanges();
	}

	/** All rows of the tables that changed since `save`, as JSON. */
	changes(): string {
		const compared = this.changedTables().filter((table) => table !== UPDATED_BY_READING);
		const tables = compared.map((table) => [table, this.db.prepare(rowsOf(table)).all()]);
		return JSON.stringify(Object.fromEntries(tables));
	}

	/** Restores the data that `save` saved. */
	restore(): void {
		this.db.exec('PRAGMA foreign_keys = OFF');
		for (const table of [...this.changedTables(), 'sqlite_sequence']) {
			this.db.exec(`DELETE FROM main.${table}`);
			this.db.exec(`INSERT INTO main.${table} SELECT * FROM saved.copy_of_${table}`);
		}
		this.db.exec('PRAGMA foreign_keys = ON');
		this.recordChanges();
	}

	async stop(): Promise<void> {
		this.sessions.forEach((session) => session.close());
		await this.server.close();
	}

	private changedTables(): string[] {
		return [...this.sessions].flatMap(([table, session]) => (session.changeset().length > 0 ? [table] : []));
	}

	private recordChanges(): void {
		this.sessions.forEach((session) => session.close());
		const rows = this.tables.filter((table) => !table.startsWith('sqlite_'));
		this.sessions = new Map(rows.map((table) => [table, this.db.createSession({ table })]));
	}
}
