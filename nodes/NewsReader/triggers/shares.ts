import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import { dependent, nothing } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';
import { event } from '../../runtime/poll/event';
import type { Operation, Parts, Api } from '../../runtime/table/operation';
import { anInteger } from '../../runtime/table/record';
import { toInteger, toText } from '../../runtime/values';
import { userId } from '../fields/locators';
import { membersOf } from '../model/answers';
import { simpleSharedStory, simplifySharedStory } from '../model/sharedStories';
import { river } from '../resources/river';
import { share } from '../resources/share';
import { user } from '../resources/user';
import { NewestFirstWatch } from './newestFirst';
import type { Entry } from './newestFirstCursor';
import type { PageReader } from './newestFirstReading';
import { storyFields, unlessRaw } from '../fields/formats';
import { presentStory, restoreStories, type StoryValues } from '../model/hashes';

/** How many pages of shared stories a first poll gets to know. */
const DEPTH = 25;

const sharedBy = required(
	choice(
		'Shared By',
		{ anyone: 'Everyone Followed', user: 'A User' },
		{ parameter: 'sharedBy', default: 'anyone', description: 'Whose shares start the workflow' },
	),
);
const sharer: Field<number | undefined> = dependent<number | undefined>('sharedBy', {
	user: userId,
	anyone: nothing,
});

/** A story of an answer as one entry for each who shared it. */
function sharesOf(
	story: IDataObject,
	answer: Answer,
	sharers: number[],
	values: StoryValues,
	api: Api,
): Entry[] {
	const hash = toText(story.story_hash);
	const named = [story.friend_user_ids, story.share_user_ids, story.shared_by_friends]
		.flatMap((list) => membersOf(list) ?? [])
		.concat(story.social_user_id ?? [])
		.map(toInteger);
	return sharers
		.filter((id) => sharers.length === 1 || named.includes(id))
		.map((id) => ({
			key: `${id}:${hash}`,
			group: String(id),
			isWanted: true,
			item: async () => ({
				...(await presentStory(story, answer, values, api, simplifySharedStory)),
				sharedBy: id,
			}),
			kept: { hash, sharedBy: id },
		}));
}

interface ShareList {
	row: Operation;
	parts: Partial<Parts>;
	/** Whose shares it holds. */
	sharers: number[];
}

/** The pages of one list of shared stories. */
const sharesIn =
	({ row, parts, sharers }: ShareList, values: StoryValues, api: Api): PageReader =>
	async (number) => {
		const { records, answer, more } = await api.page(row, number, parts);
		return { entries: records.flatMap((story) => sharesOf(story, answer, sharers, values, api)), more };
	};

const sharesOfUser = (id: number): ShareList => ({
	row: share.operations.getAll,
	parts: { path: { user_id: id }, query: { read_filter: 'all' } },
	sharers: [id],
});

const sharesOfAll = (ids: number[]): ShareList => ({
	row: river.operations.getShared,
	parts: { query: { social_user_ids: ids, read_filter: 'all' } },
	sharers: ids,
});

/** Those whom the user follows: hosts also list the user, whose own shares are nothing new to see. */
async function followedUsers(api: Api): Promise<number[]> {
	const { records } = await api.page(user.operations.getAll, 1);
	return records
		.filter(({ following, you }) => following === true && you !== true)
		.map(({ user_id: id }) => toInteger(id))
		.filter((id) => id !== undefined);
}

export const newSharedStory = event({
	name: 'New Shared Story',
	description: 'When a user shares a story',
	fields: { sharedBy, sharer, ...storyFields },
	scope: ({ sharer: id }) => id ?? null,
	watch: ({ sharer: id, ...values }) =>
		new NewestFirstWatch({
			name: 'shared',
			depth: DEPTH,
			lists: async (api) => {
				if (id !== undefined) return { lists: [sharesIn(sharesOfUser(id), values, api)], groups: null };
				const ids = await followedUsers(api);
				const lists = ids.length > 0 ? [sharesIn(sharesOfAll(ids), values, api)] : [];
				return { lists, groups: ids.map(String) };
			},
			restore: async (kept, api) => await restoreStories(kept, values, api, simplifySharedStory),
		}),
	gives: unlessRaw({ ...simpleSharedStory.members, sharedBy: anInteger }),
});
