/** Tags of saved stories, which the reader of 2026 can rename and delete. */
import { Rejection, BareList } from '../http/response.ts';
import { write, type Call, type Route, read, pageOf } from '../http/reader-route.ts';
import { starredCounts, starredCount } from '../stories/counts.ts';
import { feedRecords } from '../feeds/listing.ts';
import { subscribedFeeds } from '../subscriptions.ts';
import type { StoryRow } from '../storage/queries.ts';
import { dateCondition, searchCondition, storiesById, storyByHash } from '../stories/find.ts';
import {
	requestedDates,
	requestedHashes,
	inHashOrder,
	emptyMessage,
	searchQuery,
	withheld,
} from './story-routes.ts';
import { presentStories } from '../stories/present-stories.ts';
import { saveStory, starOf, unsaveStory } from '../stories/saving.ts';

const longestTag = 128;

function renameTag(call: Call): object {
	const old = call.parameters.text('old_tag_name')?.trim();
	const wanted = call.parameters.text('new_tag_name')?.trim();
	if (!old || !wanted) throw new Rejection('Missing old_tag_name or new_tag_name.');
	if ([...wanted].length > longestTag)
		throw new Rejection(`new_tag_name is longer than ${longestTag} characters.`);
	const known = tagsOf(call).find((tag) => tag !== old && tag.toLowerCase() === wanted.toLowerCase());
	return changeTags(call, old, known ?? wanted);
}

function deleteTag(call: Call): object {
	const tag = call.parameters.text('tag_name');
	if (!tag) throw new Rejection('Missing tag_name.');
	return changeTags(call, tag, undefined);
}

function tagsOf({ db, user }: Call): string[] {
	return db
		.all<{ value: string }>(
			'SELECT DISTINCT value FROM reader_starred, json_each(reader_starred.tags) WHERE user_id = ?',
			user.id,
		)
		.map(({ value }) => value);
}

/** Replaces or removes a tag of all saved stories; keeps the stories. */
function changeTags(call: Call, old: string, wanted: string | undefined): object {
	const { db, user } = call;
	const rows = db.all<{ story_id: number; tags: string }>(
		'SELECT story_id, tags FROM reader_starred WHERE user_id = ?',
		user.id,
	);
	db.transaction(() => {
		for (const { story_id, tags } of rows) {
			const before = JSON.parse(tags) as string[];
			const after = before.flatMap((tag) => (tag === old ? (wanted ?? []) : tag));
			if (!before.includes(old)) continue;
			db.run(
				'UPDATE reader_starred SET tags = ? WHERE user_id = ? AND story_id = ?',
				JSON.stringify([...new Set(after)]),
				user.id,
				story_id,
			);
		}
	});
	return { code: 1, starred_counts: starredCounts(call.reader, call.user) };
}

export const starredTagRoutes: readonly Route[] = [
	write('/reader/rename_starred_tag', renameTag),
	write('/reader/delete_starred_tag', deleteTag),
];

/** Interface document, "Stories": saved stories, most recently saved first. */
function starredStories(call: Call): object {
	const { reader, user, parameters } = call;
	const filtered = ['query', 'highlights', 'tag'].some((name) => parameters.text(name));
	const hashes = filtered ? undefined : requestedHashes(call);
	const rows = hashes ? inHashOrder(call, hashes).filter(isStarredBy(call)) : findStarred(call);
	const subscribed = new Set(subscribedFeeds(reader, user));
	const others = [...new Set(rows.map((row) => row.feed_id))].filter((id) => !subscribed.has(id));
	const feeds = feedRecords(reader, user, others);
	return {
		...presentStories(reader, user, rows, { list: 'starred' }),
		...emptyMessage,
		feeds: Object.fromEntries(feeds),
	};
}

function isStarredBy(call: Call): (story: StoryRow) => boolean {
	return ({ id }) => starOf(call.reader, call.user, id) !== undefined;
}

function findStarred(call: Call): StoryRow[] {
	const { reader, user, parameters } = call;
	const query = searchCondition(searchQuery(call));

	const searched = Boolean(parameters.text('query')?.trim());
	const highlights = parameters.flag('highlights') && !searched;
	const tag = highlights ? undefined : parameters.text('tag');
	if (reader.isReal) {
		if (tag) call.needPremium('read saved stories by tag', withheld(call));
		if (highlights) call.needPremium('read through saved story highlights', withheld(call));
	}
	const dates = dateCondition('starred_at', requestedDates(call));
	const { limit, offset } = pageOf(call, 'starred');
	const direction = call.oldestFirst ? 'ASC' : 'DESC';
	const fits = reader.isReal ? 'instr(json_each.value, ?) > 0' : 'json_each.value = ?';
	const ids = call.db
		.all<{ story_id: number }>(
			`SELECT story_id FROM reader_starred starred JOIN reader_stories stories ON stories.id = story_id
			WHERE user_id = ?
			${tag ? `AND EXISTS (SELECT 1 FROM json_each(starred.tags) WHERE ${fits})` : ''}
			${highlights ? "AND highlights <> '[]'" : ''} ${query.sql}${dates.sql}
			ORDER BY starred_at ${direction}, story_id ${direction} LIMIT ? OFFSET ?`,
			user.id,
			...(tag ? [tag] : []),
			...query.values,
			...dates.values,
			limit,
			offset,
		)
		.map((row) => row.story_id);
	return storiesById(reader, ids);
}

/** Interface document, "Reading state"; notes were seen on real hosts. */
function star(call: Call, story: StoryRow): void {
	saveStory(call.reader, call.user, story, {
		tags: call.parameters.list('user_tags'),
		highlights: call.parameters.list('highlights'),
		notes: call.parameters.text('user_notes') ?? null,
	});
}

function counts(call: Call): object {
	return {
		starred_count: starredCount(call.reader, call.user),
		starred_counts: starredCounts(call.reader, call.user),
	};
}

function markHashStarred(call: Call): object {
	const hashes = call.parameters.list('story_hash');

	const answers = hashes.map((hash) => {
		const story = storyByHash(call.reader, hash);
		if (story === undefined)
			return { code: -1, message: 'Could not save story, not found', story_hash: hash };
		star(call, story);
		return { code: 1, message: '', ...counts(call) };
	});
	const [only] = answers;
	if (answers.length !== 1 || only === undefined) {
		return new BareList('stories', answers);
	}
	if (only.code === -1) throw new Rejection(only.message, 404, { story_hash: only.story_hash });
	return { code: 1, message: '', ...counts(call) };
}

/** The response of removing stars. `messages` has the stories that were not starred; `code` is 1 even then. */
function markUnstarred(call: Call, names: readonly string[]) {
	const messages = names.flatMap((name) => {
		const story = storyByHash(call.reader, name);
		const done = story !== undefined && unsaveStory(call.reader, call.user, story);
		return done ? [] : [{ code: -1, message: 'Could not unsave story, not found', story_hash: name }];
	});
	const unchanged = messages.length === names.length;
	return { code: 1, ...(unchanged ? { starred_counts: null } : counts(call)), messages };
}

export const starredRoutes: readonly Route[] = [
	read('/reader/starred_stories', starredStories),
	write('/reader/mark_story_hash_as_starred', markHashStarred),
	write('/reader/mark_story_hash_as_unstarred', (call) =>
		markUnstarred(call, call.parameters.list('story_hash')),
	),
];
