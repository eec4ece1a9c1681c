import type { DatabaseSync, Session } from 'node:sqlite';
import { linkService } from '../../../sandbox/links/index.ts';
import { readerService } from '../../../sandbox/reader/index.ts';
import { services } from '../../../sandbox/services.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { startServer, type RunningServer } from '../../../sandbox/shared/start-server.ts';
import { withDatabase } from './database.ts';
import { ManualClock } from '../clock.ts';

/** Who is logged in, and the feeds of the world, which the reader fetches in its own time: these stay as they are. */
const asides = [
	...['reader_sessions', 'reader_oauth_codes', 'reader_oauth_tokens'],
	...['reader_feeds', 'reader_fetches', 'reader_stories'],
];

/** Of stories that were read, only the order matters: the variant wild gives one that is read again a later moment. */
const rowsOf = (table: string): string =>
	table === 'reader_reads'
		? `SELECT user_id, story_id, opened, RANK() OVER (PARTITION BY user_id ORDER BY read_at) AS place
			FROM reader_reads ORDER BY user_id, story_id`
		: `SELECT * FROM ${table}`;

/** Counts of new and marked feeds, which the reader makes anew whenever somebody lists the feeds. */
const MADE_BY_READING = 'reader_stored_counts';

/** Both services in this process, whose data can be put back to what it was. */
export class RestorableSandbox {
	private readonly tables: string[];
	private watched = new Map<string, Session>();

	private constructor(
		private readonly server: RunningServer,
		private readonly db: DatabaseSync,
	) {
		const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
		this.tables = rows.map(({ name }) => String(name)).filter((name) => !asides.includes(name));
		db.exec("ATTACH ':memory:' AS kept");
	}

	/** Starts one with a stopped clock and without rate limit. */
	static async start(options: Partial<SandboxOptions> = {}): Promise<RestorableSandbox> {
		let db: DatabaseSync | undefined;
		const watched = withDatabase(services, (opened) => (db = opened));
		const clock = new ManualClock();
		const server = await startServer(watched, { port: 0, rateLimit: null, clock, ...options });
		// The reader answers once its feeds are fetched for the first time.
		await fetch(`${server.url}${readerService.prefix}/nothing`);
		return new RestorableSandbox(server, db!);
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

	/** Remembers all data as it is now. */
	keep(): void {
		for (const table of this.tables) {
			this.db.exec(`DROP TABLE IF EXISTS kept.copy_of_${table}`);
			this.db.exec(`CREATE TABLE kept.copy_of_${table} AS SELECT * FROM main.${table}`);
		}
		this.watch();
	}

	/** The rows of the tables that differ from what was kept, as JSON. */
	changes(): string {
		const reported = this.changed().filter((table) => table !== MADE_BY_READING);
		const tables = reported.map((table) => [table, this.db.prepare(rowsOf(table)).all()]);
		return JSON.stringify(Object.fromEntries(tables));
	}

	/** Puts back what was kept. */
	restore(): void {
		this.db.exec('PRAGMA foreign_keys = OFF');
		for (const table of [...this.changed(), 'sqlite_sequence']) {
			this.db.exec(`DELETE FROM main.${table}`);
			this.db.exec(`INSERT INTO main.${table} SELECT * FROM kept.copy_of_${table}`);
		}
		this.db.exec('PRAGMA foreign_keys = ON');
		this.watch();
	}

	async stop(): Promise<void> {
		this.watched.forEach((session) => session.close());
		await this.server.close();
	}

	private changed(): string[] {
		return [...this.watched].flatMap(([table, session]) => (session.changeset().length > 0 ? [table] : []));
	}

	private watch(): void {
		this.watched.forEach((session) => session.close());
		const rows = this.tables.filter((table) => !table.startsWith('sqlite_'));
		this.watched = new Map(rows.map((table) => [table, this.db.createSession({ table })]));
	}
}
