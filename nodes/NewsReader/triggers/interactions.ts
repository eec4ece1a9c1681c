import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import { prominent } from '../../runtime/fields/field';
import { severalOf } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import type { Operation, Api } from '../../runtime/table/operation';
import { aText } from '../../runtime/table/record';
import { omit, toText } from '../../runtime/values';
import { isoFromUtc } from '../model/answers';
import { simpleEvent } from '../model/people';
import { profile } from '../resources/profile';
import { NewestFirstWatch } from './newestFirst';
import type { Entry } from './newestFirstCursor';
import type { PageReader } from './newestFirstReading';
import { storyFields, unlessRaw } from '../fields/formats';

/** How many pages of events, four each, a first poll gets to know. */
const DEPTH = 5;

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
	const steady = omit(rest, 'time_since', 'is_new', 'photo_url', 'with_user');
	const parts = [date, category, who, feed, hash, id, ...(date ? [] : [steady])];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

const secondsOf = (written: unknown): number | undefined => {
	const iso = isoFromUtc(written);
	return iso === null ? undefined : Date.parse(iso) / 1000;
};

interface EventValues {
	/** The categories that are wanted; all if left out. */
	kinds?: string[];
	simplify?: boolean;
}

function entryOf(
	record: IDataObject,
	row: Operation,
	answer: Answer,
	{ kinds, simplify }: EventValues,
): Entry {
	const { simple } = row.output;
	const item = simplify === false || !simple ? record : simple.of(record, answer, {});
	return {
		key: eventKey(record),
		at: secondsOf(record.date),
		isWanted: kinds === undefined || kinds.includes(toText(record.category)),
		item: () => item,
		kept: item,
	};
}

/** The pages of a list of interactions or activities. */
const eventsIn =
	(row: Operation, values: EventValues, api: Api): PageReader =>
	async (number) => {
		const { records, answer, more } = await api.page(row, number);
		return { more, entries: records.map((record) => entryOf(record, row, answer, values)) };
	};

const watchEvents = (name: string, row: Operation, values: EventValues): NewestFirstWatch =>
	new NewestFirstWatch({
		name,
		depth: DEPTH,
		lists: async (api) => ({ groups: null, lists: [eventsIn(row, values, api)] }),
		restore: async (kept) => kept as IDataObject[],
	});

const { simplify } = storyFields;
const members = { ...simpleEvent.members, source: aText };

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
	watch: (values) => watchEvents('interaction', profile.operations.getInteractions, values),
	gives: unlessRaw(members),
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
	watch: (values) => watchEvents('activity', profile.operations.getActivities, values),
	gives: unlessRaw(members),
});
