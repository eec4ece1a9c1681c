import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { alwaysShown, type Field } from '../../runtime/fields/field';
import { severalOf } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { aText } from '../../runtime/table/record';
import { toText } from '../../runtime/values';
import { isoFromUtc } from '../model/responses';
import { interactionKey, simpleInteraction } from '../model/people';
import { profile } from '../resources/profile';
import { storyFields, unlessRaw } from '../fields/formats';
import { ONE_ORIGIN } from './known-entries';
import type { PageReader } from './list-reader';
import { NewestFirstWatch } from './newest-first';

const FIRST_PAGES = 5;

const pagesOf =
	(row: Operation, kinds: string[] | undefined, isSimplified: boolean, api: Api): PageReader =>
	async (number) => {
		const { records, response, more } = await api.page(row, number);
		const { shape } = row.output;
		const entries = records.map((record) => {
			const date = isoFromUtc(record.date);
			const item = isSimplified && shape ? shape.map(record, response, {}) : record;
			return {
				key: interactionKey(record),
				at: date === null ? undefined : Date.parse(date) / 1000,
				origin: ONE_ORIGIN,
				passesFilters: kinds === undefined || kinds.includes(toText(record.category)),
				item: () => item,
				kept: item,
			};
		});
		return { more, entries };
	};

const entryEvent = (
	name: string,
	description: string,
	{ row, idPrefix, kinds }: { row: Operation; idPrefix: string; kinds: Field<string[] | undefined> },
) =>
	event({
		name,
		description,
		fields: { kinds: alwaysShown(kinds), simplify: storyFields.simplify },
		watchKey: () => null,
		watch: ({ kinds: chosen, simplify }) =>
			new NewestFirstWatch({
				idPrefix,
				depth: FIRST_PAGES,
				lists: async (api) => {
					const readPage = pagesOf(row, chosen, simplify !== false, api);
					return { lists: [{ origins: [ONE_ORIGIN], readPage }] };
				},
				restore: async (kept) => kept.map((entry) => () => entry as IDataObject),
			}),
		output: unlessRaw({ ...simpleInteraction.schema.members, source: aText }),
	});

export const newInteraction = entryEvent(
	'New Interaction',
	'When a user follows you, replies to you, likes your comment or re-shares your share',
	{
		row: profile.operations.getInteractions,
		idPrefix: 'interaction',
		kinds: severalOf(
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
	},
);

export const newActivity = entryEvent(
	'New Activity',
	'When you follow, share, save, subscribe, reply or like, or export or import your feeds',
	{
		row: profile.operations.getActivities,
		idPrefix: 'activity',
		kinds: severalOf(
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
	},
);
