/** The rows of the tables in `schema.ts`. */
import type { Plan } from '../../shared/options.ts';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { inTransaction } from '../../shared/database.ts';
import { schema } from './schema.ts';

export interface UserRow {
	id: number;
	username: string;
	email: string;
	/** null for an account without a password, which a blank password logs in. */
	password_hash: string | null;
	secret_token: string;
	/** null for the plan of the sandbox's options. */
	plan: Plan | null;
	is_demo: number;
	location: string;
	bio: string;
	website: string;
	photo_service: string;
	is_protected: number;
	is_private: number;
	folders: string;
	interactions_seen_at: number;
	created_at: number;
}

export interface FeedRow {
	id: number;
	address: string;
	title: string;
	link: string;
	description: string;
	created_at: number;
	etag: string | null;
	size_bytes: number;
	last_fetch_at: number | null;
	last_load_ms: number;
	fetched_once: number;
	errors_since_good: number;
	exception_type: string | null;
	exception_code: number | null;
	favicon: Uint8Array | null;
	favicon_color: string | null;
	favicon_fetched: number;
}

export interface SubscriptionRow {
	user_id: number;
	feed_id: number;
	title: string | null;
	active: number;
	feed_opens: number;
	created_at: number;
}

export interface StoryRow {
	id: number;
	feed_id: number;
	story_hash: string;
	guid: string;
	title: string;
	link: string;
	authors: string;
	published_at: number;
	content: string;
	tags: string;
	image_urls: string;
	has_modifications: number;
}

export interface StarredRow {
	user_id: number;
	story_id: number;
	starred_at: number;
	tags: string;
	highlights: string;
	notes: string | null;
}

export interface ShareRow {
	id: string;
	user_id: number;
	story_id: number;
	comments: string;
	source_user_id: number | null;
	shared_at: number;
}

export interface ReplyRow {
	id: string;
	share_id: string;
	user_id: number;
	comments: string;
	published_at: number;
}

export type EventList = 'interaction' | 'activity';

export interface EventRow {
	id: number;
	list: EventList;
	user_id: number;
	category: string;
	at: number;
	with_user_id: number | null;
	feed_key: string | null;
	story_id: number | null;
	feed_id: number | null;
	title: string | null;
	content: string | null;
	share_id: string | null;
	reply_id: string | null;
}

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
