import type { IDataObject } from 'n8n-workflow';
import type { RequestParts, Api } from '../../runtime/api-types';
import { dependent, nothing } from '../../runtime/fields/compound';
import { requiredChoice } from '../../runtime/fields/kinds';
import { event } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { anInteger } from '../../runtime/table/record';
import { toInteger, toText } from '../../runtime/values';
import { userId } from '../fields/locators';
import { membersOf } from '../model/responses';
import { simpleSharedStory } from '../model/stories';
import { river } from '../resources/river';
import { share } from '../resources/share';
import { user } from '../resources/user';
import { storyFields, unlessRaw } from '../fields/formats';
import { presentStory, storyItemMakers, type StoryValues } from '../model/hashes';
import type { Entry, PageReader } from './list-reader';
import { NewestFirstWatch } from './newest-first';

const FIRST_SHARE_PAGES = 25;

const sharedBy = requiredChoice(
	'Shared By',
	{ anyone: 'Everyone You Follow', user: 'A User' },
	{ paramName: 'sharedBy', default: 'anyone', description: 'Which users to watch' },
);
const sharer = dependent<number | undefined>(sharedBy, { user: userId, anyone: nothing });

interface ShareList {
	row: Operation;
	parts: Partial<RequestParts>;
	/** The watched users who shared a story of the list. */
	sharersOf(story: IDataObject): number[];
}

const sharesOfUser = (id: number): ShareList => ({
	row: share.operations.getAll,
	parts: { path: { user_id: id }, query: { read_filter: 'all' } },
	sharersOf: () => [id],
});

/** The server may mix in stories of another list, which none of these users shared. */
const sharesOfAll = (ids: number[]): ShareList => ({
	row: river.operations.getShared,
	parts: { query: { social_user_ids: ids, read_filter: 'all' } },
	sharersOf: (story) => ids.filter((id) => sharersNamedIn(story).includes(id)),
});

const sharersNamedIn = (story: IDataObject): unknown[] =>
	[story.friend_user_ids, story.share_user_ids, story.shared_by_friends]
		.flatMap((list) => membersOf(list) ?? [])
		.concat(story.social_user_id ?? [])
		.map(toInteger);

/** The pages of a list of shared stories: an entry for each story and each user who shared it. */
const sharesIn =
	({ row, parts, sharersOf }: ShareList, values: StoryValues, api: Api): PageReader =>
	async (number) => {
		const { records, response, more } = await api.page(row, number, parts);
		const entriesOf = (story: IDataObject): Entry[] => {
			const hash = toText(story.story_hash);
			return sharersOf(story).map((id) => ({
				key: `${id}:${hash}`,
				origin: String(id),
				passesFilters: true,
				item: async () => ({
					...(await presentStory(story, response, values, api, simpleSharedStory.map)),
					sharedBy: id,
				}),
				kept: { hash, sharedBy: id },
			}));
		};
		return { entries: records.flatMap(entriesOf), more };
	};

/** The users whom the user follows. Hosts also list the user, whose own shares are left out. */
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
	// Users are origins: the shares that exist when a user is chosen are no events. The list of everyone may end before some
	// shares that the list of a user has: those would seem to be new.
	watchKey: ({ sharer: id }) => (id === undefined ? null : 'user'),
	watch: ({ sharer: id, ...values }) =>
		new NewestFirstWatch({
			idPrefix: 'shared',
			sharedServerList: 'shared',
			depth: FIRST_SHARE_PAGES,
			lists: async (api) => {
				const ids = id === undefined ? await followedUsers(api) : [id];
				const list = id === undefined ? sharesOfAll(ids) : sharesOfUser(id);
				const shares = { origins: ids.map(String), readPage: sharesIn(list, values, api) };
				return { lists: ids.length > 0 ? [shares] : [] };
			},
			restore: async (kept, api) => await storyItemMakers(kept, values, api, simpleSharedStory.map),
		}),
	output: unlessRaw({ ...simpleSharedStory.schema.members, sharedBy: anInteger }),
});
