/**
 * Tables of the news reader service. Times are epoch milliseconds, booleans 0 or 1, lists and trees JSON text.
 * A story is unread while it is inside the plan's age window, or in `reader_kept_unread`, and has no row in `reader_reads`.
 * There `opened` is 1 for what was read by itself, which is the history, 2 with others by their hashes or with a share
 * feed, 0 with the whole feed.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS reader_users (
	id INTEGER PRIMARY KEY,
	username TEXT NOT NULL UNIQUE COLLATE NOCASE,
	email TEXT NOT NULL COLLATE NOCASE,
	password_hash TEXT,
	secret_token TEXT NOT NULL UNIQUE,
	plan TEXT,
	is_demo INTEGER NOT NULL DEFAULT 0,
	location TEXT NOT NULL DEFAULT '',
	bio TEXT NOT NULL DEFAULT '',
	website TEXT NOT NULL DEFAULT '',
	photo_service TEXT NOT NULL DEFAULT 'gravatar',
	is_protected INTEGER NOT NULL DEFAULT 0,
	is_private INTEGER NOT NULL DEFAULT 0,
	folders TEXT NOT NULL DEFAULT '[]',
	interactions_seen_at INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS reader_facts (
	name TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_sessions (
	token_hash TEXT PRIMARY KEY,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reader_sessions_by_user ON reader_sessions (user_id);

CREATE TABLE IF NOT EXISTS reader_oauth_codes (
	code_hash TEXT PRIMARY KEY,
	client_id TEXT NOT NULL,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	redirect_uri TEXT NOT NULL,
	scope TEXT NOT NULL,
	code_challenge TEXT,
	code_challenge_method TEXT,
	expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_oauth_tokens (
	access_hash TEXT PRIMARY KEY,
	refresh_hash TEXT UNIQUE,
	client_id TEXT NOT NULL,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	scope TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_feeds (
	id INTEGER PRIMARY KEY,
	address TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL,
	link TEXT NOT NULL DEFAULT '',
	description TEXT NOT NULL DEFAULT '',
	created_at INTEGER NOT NULL,
	etag TEXT,
	size_bytes INTEGER NOT NULL DEFAULT 0,
	last_fetch_at INTEGER,
	last_load_ms INTEGER NOT NULL DEFAULT 0,
	fetched_once INTEGER NOT NULL DEFAULT 0,
	errors_since_good INTEGER NOT NULL DEFAULT 0,
	exception_type TEXT,
	exception_code INTEGER,
	favicon BLOB,
	favicon_color TEXT,
	favicon_fetched INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE IF NOT EXISTS reader_fetches (
	id INTEGER PRIMARY KEY,
	feed_id INTEGER NOT NULL REFERENCES reader_feeds ON DELETE CASCADE,
	kind TEXT NOT NULL,
	at INTEGER NOT NULL,
	status_code INTEGER NOT NULL,
	message TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reader_fetches_by_feed ON reader_fetches (feed_id, kind, id);

CREATE TABLE IF NOT EXISTS reader_stories (
	id INTEGER PRIMARY KEY,
	feed_id INTEGER NOT NULL REFERENCES reader_feeds ON DELETE CASCADE,
	story_hash TEXT NOT NULL UNIQUE,
	guid TEXT NOT NULL,
	title TEXT NOT NULL,
	link TEXT NOT NULL,
	authors TEXT NOT NULL,
	published_at INTEGER NOT NULL,
	content TEXT NOT NULL,
	tags TEXT NOT NULL,
	image_urls TEXT NOT NULL,
	has_modifications INTEGER NOT NULL DEFAULT 0,
	UNIQUE (feed_id, guid)
) STRICT;
CREATE INDEX IF NOT EXISTS reader_stories_by_date ON reader_stories (feed_id, published_at, id, story_hash);

CREATE TABLE IF NOT EXISTS reader_subscriptions (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_id INTEGER NOT NULL REFERENCES reader_feeds ON DELETE CASCADE,
	title TEXT,
	active INTEGER NOT NULL DEFAULT 1,
	feed_opens INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (user_id, feed_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reader_subscriptions_by_feed ON reader_subscriptions (feed_id);

CREATE TABLE IF NOT EXISTS reader_reads (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	story_id INTEGER NOT NULL REFERENCES reader_stories ON DELETE CASCADE,
	read_at INTEGER NOT NULL,
	opened INTEGER NOT NULL,
	PRIMARY KEY (user_id, story_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reader_reads_history ON reader_reads (user_id, read_at) WHERE opened = 1;

CREATE TABLE IF NOT EXISTS reader_earlier_reads (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	story_id INTEGER NOT NULL REFERENCES reader_stories ON DELETE CASCADE,
	read_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reader_earlier_reads_history ON reader_earlier_reads (user_id, read_at);

CREATE TABLE IF NOT EXISTS reader_kept_unread (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	story_id INTEGER NOT NULL REFERENCES reader_stories ON DELETE CASCADE,
	PRIMARY KEY (user_id, story_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_preferences (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_feed_mutes (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_id INTEGER NOT NULL REFERENCES reader_feeds ON DELETE CASCADE,
	expires_at INTEGER NOT NULL,
	PRIMARY KEY (user_id, feed_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_newer_classifiers (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_key TEXT NOT NULL,
	scope TEXT NOT NULL,
	folder_name TEXT NOT NULL,
	kind TEXT NOT NULL,
	value TEXT NOT NULL,
	score INTEGER NOT NULL,
	PRIMARY KEY (user_id, feed_key, scope, folder_name, kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_auto_marks (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	scope TEXT NOT NULL,
	days INTEGER NOT NULL,
	PRIMARY KEY (user_id, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_clusters (
	id TEXT PRIMARY KEY,
	tier TEXT NOT NULL,
	made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reader_cluster_of (
	story_id INTEGER PRIMARY KEY REFERENCES reader_stories ON DELETE CASCADE,
	cluster_id TEXT NOT NULL REFERENCES reader_clusters
) STRICT;
CREATE TABLE IF NOT EXISTS reader_cluster_members (
	story_id INTEGER PRIMARY KEY REFERENCES reader_stories ON DELETE CASCADE,
	cluster_id TEXT NOT NULL REFERENCES reader_clusters
) STRICT;
CREATE INDEX IF NOT EXISTS reader_cluster_members_by_cluster ON reader_cluster_members (cluster_id);

CREATE TABLE IF NOT EXISTS reader_stored_counts (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_id INTEGER NOT NULL REFERENCES reader_feeds ON DELETE CASCADE,
	ps INTEGER NOT NULL,
	nt INTEGER NOT NULL,
	ng INTEGER NOT NULL,
	stale INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (user_id, feed_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_seen (
	user_id INTEGER PRIMARY KEY REFERENCES reader_users ON DELETE CASCADE,
	at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS reader_share_marks (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	sharer_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	read_to INTEGER NOT NULL,
	PRIMARY KEY (user_id, sharer_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_saved_profiles (
	user_id INTEGER PRIMARY KEY REFERENCES reader_users ON DELETE CASCADE
) STRICT;

CREATE TABLE IF NOT EXISTS reader_starred (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	story_id INTEGER NOT NULL REFERENCES reader_stories ON DELETE CASCADE,
	starred_at INTEGER NOT NULL,
	changed_at INTEGER NOT NULL,
	tags TEXT NOT NULL,
	highlights TEXT NOT NULL,
	notes TEXT,
	PRIMARY KEY (user_id, story_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reader_starred_by_date ON reader_starred (user_id, starred_at);

CREATE TABLE IF NOT EXISTS reader_classifiers (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_key TEXT NOT NULL,
	kind TEXT NOT NULL,
	value TEXT NOT NULL,
	score INTEGER NOT NULL,
	PRIMARY KEY (user_id, feed_key, kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_notifications (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_id INTEGER NOT NULL REFERENCES reader_feeds ON DELETE CASCADE,
	types TEXT NOT NULL,
	filter TEXT NOT NULL,
	PRIMARY KEY (user_id, feed_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_searches (
	id INTEGER PRIMARY KEY,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	feed_key TEXT NOT NULL,
	query TEXT NOT NULL,
	UNIQUE (user_id, feed_key, query)
) STRICT;

CREATE TABLE IF NOT EXISTS reader_follows (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	followed_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	requested INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (user_id, followed_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reader_follows_by_followed ON reader_follows (followed_id);

CREATE TABLE IF NOT EXISTS reader_mutes (
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	muted_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	PRIMARY KEY (user_id, muted_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_shares (
	id TEXT PRIMARY KEY,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	story_id INTEGER NOT NULL REFERENCES reader_stories ON DELETE CASCADE,
	comments TEXT NOT NULL,
	source_user_id INTEGER REFERENCES reader_users,
	shared_at INTEGER NOT NULL,
	UNIQUE (user_id, story_id)
) STRICT;
CREATE INDEX IF NOT EXISTS reader_shares_by_story ON reader_shares (story_id);
CREATE INDEX IF NOT EXISTS reader_shares_by_date ON reader_shares (user_id, shared_at);

CREATE TABLE IF NOT EXISTS reader_once_shared (
	story_id INTEGER PRIMARY KEY REFERENCES reader_stories ON DELETE CASCADE
) STRICT;

CREATE TABLE IF NOT EXISTS reader_replies (
	id TEXT PRIMARY KEY,
	share_id TEXT NOT NULL REFERENCES reader_shares ON DELETE CASCADE,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	comments TEXT NOT NULL,
	published_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reader_replies_by_share ON reader_replies (share_id, published_at);

CREATE TABLE IF NOT EXISTS reader_likes (
	share_id TEXT NOT NULL REFERENCES reader_shares ON DELETE CASCADE,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	PRIMARY KEY (share_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reader_events (
	id INTEGER PRIMARY KEY,
	list TEXT NOT NULL,
	user_id INTEGER NOT NULL REFERENCES reader_users ON DELETE CASCADE,
	category TEXT NOT NULL,
	at INTEGER NOT NULL,
	with_user_id INTEGER REFERENCES reader_users ON DELETE CASCADE,
	feed_key TEXT,
	story_id INTEGER REFERENCES reader_stories ON DELETE CASCADE,
	feed_id INTEGER,
	title TEXT,
	content TEXT,
	share_id TEXT REFERENCES reader_shares ON DELETE CASCADE,
	reply_id TEXT REFERENCES reader_replies ON DELETE CASCADE
) STRICT;
CREATE INDEX IF NOT EXISTS reader_events_by_user ON reader_events (list, user_id, id);
CREATE INDEX IF NOT EXISTS reader_events_by_share ON reader_events (share_id);
CREATE INDEX IF NOT EXISTS reader_events_by_reply ON reader_events (reply_id);
`;
