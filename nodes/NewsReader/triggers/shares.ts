import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { dependent, nothing } from '../../runtime/fields/compound';
import { prominent, required, type Field } from '../../runtime/fields/field';
import { choice, severalOf } from '../../runtime/fields/kinds';
import type { Operation } from '../../runtime/table/operation';
import { event } from '../../runtime/poll/event';
import { recent, type Entry, type RecentList } from './newestFirst';
import { rowOf } from '../../runtime/poll/rows';
import type { Source } from '../../runtime/poll/watch';
import type { Answer } from '../../runtime/transport/http';
import { toInteger } from '../../runtime/values';
import { userId } from '../fields/locators';
import { simplifyEvent } from '../model/people';
import { profile } from '../resources/profile';
import { river } from '../resources/river';
import { share } from '../resources/share';
import { membersOf } from '../model/answers';
import { isoFromUtc } from '../model/dates';
import { user } from '../resources/user';
import { presentStory, storyFields, type StoryValues } from './newStories';
import { restoreStories } from './restore';

/** How many pages of shared stories a first poll gets to know. */
const SHARES_DEPTH = 25;
/** How many pages of events, four each, a first poll gets to know. */
const EVENTS_DEPTH = 5;

const whose = required(
	choice(
		'Shared By',
		{ anyone: 'Everyone Followed', user: 'A User' },
		{ parameter: 'sharedBy', default: 'anyone' },
	),
);
const sharer: Field<number | undefined> = dependent<number | undefined>('sharedBy', {
	user: userId,
	anyone: nothing,
});

/** Stories of one answer, one entry for each who shared it. */
function shares(story: IDataObject, answer: Answer, sharers: number[], values: StoryValues): Entry[] {
	const hash = String(story.story_hash);
	const told = [story.friend_user_ids, story.share_user_ids, story.shared_by_friends]
		.flatMap((list) => membersOf(list) ?? [])
		.concat(story.social_user_id ?? [])
		.map(toInteger);
	const by = sharers.filter((id) => sharers.length === 1 || told.includes(id));
	return by.map((id) => ({
		key: `${id}:${hash}`,
		group: String(id),
		isWanted: true,
		record: { ...presentStory(story, answer, values), sharedBy: id },
		kept: { hash, sharedBy: id },
	}));
}

/** The pages of one list of shared stories. */
const sharesIn =
	(
		row: Operation,
		parts: Parameters<Source['page']>[2],
		sharers: number[],
		values: StoryValues,
		source: Source,
	): RecentList =>
	async (number) => {
		const { records, answer, more } = await source.page(row, number, parts);
		return { entries: records.flatMap((story) => shares(story, answer, sharers, values)), more };
	};

async function followed(source: Source): Promise<number[]> {
	const { records } = await source.page(rowOf(user, 'getAll'), 1);
	return records
		.filter(({ following }) => following === true)
		.map(({ user_id: id }) => toInteger(id))
		.filter((id) => id !== undefined);
}

export const newSharedStory = event({
	name: 'New Shared Story',
	description: 'When a user shares a story',
	fields: { whose, sharer, ...storyFields },
	scope: ({ sharer: id }) => id ?? null,
	watch: ({ sharer: id, ...values }) =>
		recent({
			name: 'shared',
			depth: SHARES_DEPTH,
			lists: async (source) => {
				if (id !== undefined) {
					const parts = { path: { user_id: id }, query: { read_filter: 'all' } };
					return { lists: [sharesIn(rowOf(share, 'getAll'), parts, [id], values, source)], groups: null };
				}
				const ids = await followed(source);
				if (ids.length === 0) return { lists: [], groups: [] };
				const parts = { query: { social_user_ids: ids, read_filter: 'all' } };
				return {
					lists: [sharesIn(rowOf(river, 'getShared'), parts, ids, values, source)],
					groups: ids.map(String),
				};
			},
			item: (record) => record as IDataObject,
			restore: async (kept, source) =>
				await restoreStories(kept, source, (story, answer, { sharedBy }) => ({
					...presentStory(story, answer, values),
					sharedBy: sharedBy as number,
				})),
		}),
});

/** What tells an event from others: all of it that doesn't change by itself. */
function eventKey(record: IDataObject): string {
	const {
		date,
		category,
		with_user_id: who,
		feed_id: feed,
		story_hash: hash,
		content_id: id,
		...rest
	} = record;
	const { time_since: _, is_new: __, photo_url: ___, with_user: ____, ...steady } = rest;
	const parts = [date, category, who, feed, hash, id, ...(date ? [] : [steady])];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

const secondsOf = (written: unknown): number | undefined => {
	const iso = isoFromUtc(written);
	return iso === null ? undefined : Date.parse(iso) / 1000;
};

const happenings = (
	name: string,
	row: Operation,
	{ kinds, simplify }: { kinds?: string[]; simplify?: boolean },
) =>
	recent({
		name,
		depth: EVENTS_DEPTH,
		lists: async (source) => ({
			groups: null,
			lists: [
				async (number) => {
					const { records, more } = await source.page(row, number);
					return {
						more,
						entries: records.map((record) => {
							const item = simplify === false ? record : simplifyEvent(record);
							return {
								key: eventKey(record),
								at: secondsOf(record.date),
								isWanted: kinds === undefined || kinds.includes(String(record.category)),
								record: item,
								kept: item,
							};
						}),
					};
				},
			],
		}),
		item: (record) => record as IDataObject,
		restore: async (kept) => kept,
	});

const { simplify } = storyFields;

export const newInteraction = event({
	name: 'New Interaction',
	description: 'When somebody follows you, replies to you, likes your comment or shares your share',
	fields: {
		kinds: prominent(
			severalOf(
				'Interactions',
				{
					comment_like: 'Comment Liked',
					comment_reply: 'Comment Replied To',
					follow: 'Follow',
					reply_reply: 'Reply Replied To',
					story_reshare: 'Story Shared On',
				},
				{ parameter: 'interactionKinds', description: 'Which kinds count; all if none is chosen' },
			),
		),
		simplify,
	},
	watch: (values) => happenings('interaction', rowOf(profile, 'getInteractions'), values),
});

export const newActivity = event({
	name: 'New Activity',
	description: 'When you follow, share, save, subscribe, reply or like',
	fields: {
		kinds: prominent(
			severalOf(
				'Activities',
				{
					comment_like: 'Comment Liked',
					comment_reply: 'Comment Replied To',
					feedsub: 'Feed Subscribed To',
					follow: 'Follow',
					sharedstory: 'Story Shared',
					star: 'Story Saved',
				},
				{ parameter: 'activityKinds', description: 'Which kinds count; all if none is chosen' },
			),
		),
		simplify,
	},
	watch: (values) => happenings('activity', rowOf(profile, 'getActivities'), values),
});
