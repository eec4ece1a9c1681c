import type { Plan } from '../../shared/options.ts';

/** The rows of the tables in `schema.ts`. */

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
