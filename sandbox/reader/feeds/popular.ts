import type { Reader } from '../reader.ts';

const shown = 25;
/** Number of newest stories to count. */
const looked = 500;

type Popular = [name: string, stories: number][];

/** The most frequent tags of a feed's newest stories. */
export function popularTags(reader: Reader, feedId: number): Popular {
	return popular(
		reader,
		`SELECT json_each.value name, COUNT(*) count FROM
		(SELECT tags FROM reader_stories WHERE feed_id = ? ORDER BY published_at DESC LIMIT ?) newest, json_each(newest.tags)
		GROUP BY name ORDER BY count DESC, name LIMIT ?`,
		feedId,
	);
}

export function popularAuthors(reader: Reader, feedId: number): Popular {
	return popular(
		reader,
		`SELECT authors name, COUNT(*) count FROM
		(SELECT authors FROM reader_stories WHERE feed_id = ? ORDER BY published_at DESC LIMIT ?)
		WHERE authors <> '' GROUP BY name ORDER BY count DESC, name LIMIT ?`,
		feedId,
	);
}

function popular(reader: Reader, sql: string, feedId: number): Popular {
	return reader.db
		.all<{ name: string; count: number }>(sql, feedId, looked, shown)
		.map(({ name, count }) => [name, count]);
}
