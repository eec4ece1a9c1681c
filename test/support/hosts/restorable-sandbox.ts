import type { DatabaseSync, Session } from 'node:sqlite';
import { linkService } from '../../../sandbox/links/index.ts';
import { readerService } from '../../../sandbox/reader/index.ts';
import { services } from '../../../sandbox/services.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import type { RunningServer } from '../../../sandbox/shared/start-server.ts';
import { startWithDatabase } from './database.ts';
import { ManualClock } from '../clock.ts';

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

	private constructor(
		private readonly server: RunningServer,
		private readonly db: DatabaseSync,
	) {
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
