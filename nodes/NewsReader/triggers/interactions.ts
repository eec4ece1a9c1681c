import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Api } from '../../runtime/api-types';
import { alwaysShown } from '../../runtime/fields/field';
import { severalOf } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { aText } from '../../runtime/table/record';
import { toText } from '../../runtime/values';
import { isoFromUtc } from '../model/responses';
import { interactionKey, simpleInteraction } from '../model/people';
import { profile } from '../resources/profile';
import { ONE_GROUP } from './known-entries';
import { NewestFirstWatch, type Entry, type PageReader } from './newest-first';

import { storyFields, unlessRaw } from '../fields/formats';

/** How many pages a first poll reads; a page has four entries. */
const FIRST_PAGES = 5;

const interactionSeconds = (written: unknown): number | undefined => {
	const iso = isoFromUtc(written);
	return iso === null ? undefined : Date.parse(iso) / 1000;
};

interface InteractionValues {
	/** The categories to emit; all if left out. */
	kinds?: string[];
	simplify?: boolean;
}

function interactionEntry(
	record: IDataObject,
	row: Operation,
	response: ApiResponse,
	{ kinds, simplify }: InteractionValues,
): Entry {
	const { shape } = row.output;
	const item = simplify === false || !shape ? record : shape.map(record, response, {});
	return {
		key: interactionKey(record),
		at: interactionSeconds(record.date),
		group: ONE_GROUP,
		passesFilters: kinds === undefined || kinds.includes(toText(record.category)),
		item: () => item,
		kept: item,
	};
}

/** The pages of a list of interactions or activities. */
const interactionsIn =
	(row: Operation, values: InteractionValues, api: Api): PageReader =>
	async (number) => {
		const { records, response, more } = await api.page(row, number);
		return { more, entries: records.map((record) => interactionEntry(record, row, response, values)) };
	};

const watchInteractions = (name: string, row: Operation, values: InteractionValues): NewestFirstWatch =>
	new NewestFirstWatch({
		idPrefix: name,
		depth: FIRST_PAGES,
		lists: async (api) => ({ groups: [ONE_GROUP], lists: [interactionsIn(row, values, api)] }),
		restore: async (kept) => kept as IDataObject[],
	});

const { simplify } = storyFields;
const members = { ...simpleInteraction.schema.members, source: aText };

export const newInteraction = event({
	name: 'New Interaction',
	description: 'When a user follows you, replies to you, likes your comment or re-shares your share',
	fields: {
		kinds: alwaysShown(
			severalOf(
				'Interactions',
				{
					comment_like: 'Like of Your Comment',
					comment_reply: 'Reply to Your Comment',
					follow: 'New Follower',
					reply_reply: 'Reply to Your Reply',
					story_reshare: 'Re-Share of Your Share',
				},
				{ paramName: 'interactionKinds', description: 'Which kinds to watch; by default, all' },
			),
		),
		simplify,
	},
	watchKey: () => null,
	watch: (values) => watchInteractions('interaction', profile.operations.getInteractions, values),
	output: unlessRaw(members),
});

export const newActivity = event({
	name: 'New Activity',
	description: 'When you follow, share, save, subscribe, reply or like',
	fields: {
		kinds: alwaysShown(
			severalOf(
				'Activities',
				{
					comment_like: 'Comment You Liked',
					comment_reply: 'Reply You Wrote',
					feedsub: 'Feed You Added',
					follow: 'User You Followed',
					sharedstory: 'Story You Shared',
					star: 'Story You Saved',
				},
				{ paramName: 'activityKinds', description: 'Which kinds to watch; by default, all' },
			),
		),
		simplify,
	},
	watchKey: () => null,
	watch: (values) => watchInteractions('activity', profile.operations.getActivities, values),
	output: unlessRaw(members),
});
