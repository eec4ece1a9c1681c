import type { Api, ItemApi, RequestParts, Result, Paging } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { text, flag, lines, texts, requiredText } from '../../runtime/fields/kinds';
import { aText, record, aBoolean, anInteger } from '../../runtime/table/record';
import { operation, listedRecord, resource } from '../../runtime/table/operation';
import { asRecord, quoted, toText } from '../../runtime/values';
import { bringsSecrets, storyParams } from '../fields/formats';
import { savedTag, storyHashes } from '../fields/locators';
import {
	onNewerServers,
	subscriptionsIn,
	subscriptionsOf,
	tagsIn,
	type Subscriptions,
} from '../model/subscriptions';
import { success } from '../outputs';
import { filterOf, includeTimestamps, savedBetween, searchQuery } from '../fields/story-filters';
import { singlePage, storyPages } from '../lists';
import { entryFor, membersOf, membersUnder, recordsIn, refusalIn } from '../model/responses';
import {
	hashRecord,
	readSavedStories,
	savedByFeed,
	savedOutputByHash,
	savedStoriesByHash,
	storyHashesIn,
} from '../model/hashes';
import { aStoryHash, selected, selection } from '../model/records';
import { savedOutput, simpleSavedStory } from '../model/stories';
import { savedAt, readStoryList } from '../model/story-lists';

/** The most characters of a tag; longer ones make the service fail with 500 (seen in the wild). */
const LONGEST_TAG = 128;

const existingTag = required(savedTag);

const renameTag = operation('POST /reader/rename_starred_tag', {
	action: 'Rename a tag of saved stories',
	description: 'Rename a tag, or merge it with another one (newer servers)',
	...bringsSecrets,
	body: {
		old_tag_name: existingTag,
		new_tag_name: requiredText('New Name', {
			example: 'tools',
			longest: LONGEST_TAG,
			description: `The new name of the tag, at most ${LONGEST_TAG} characters`,
		}),
	},
	output: listedRecord(record({ tag: aText.described('The tag') })),
	run: async ({ body }, api, parts) => {
		// The service trims it, too.
		const name = body.new_tag_name.trim();
		const known = await subscriptionsWith(body.old_tag_name, api);
		const response = await api.ask(api.row, parts);
		const tags = tagsIn(asRecord(response.json).starred_counts);
		known.savedTags = tags;
		// The service merges a tag with one that differs in capitals.
		const found =
			tags?.find(({ tag }) => tag === name) ??
			tags?.find(({ tag }) => tag.toLowerCase() === name.toLowerCase());
		if (!found) throw api.apiError(`The service did not rename the tag ${body.old_tag_name}`, '');
		return await api.results([{ tag: found.tag }], response);
	},
});

/** Refuses an unknown tag, because the service reports success for one. */
async function subscriptionsWith(wanted: string, api: Api): Promise<Subscriptions> {
	const subscriptions = await subscriptionsOf(api);
	if (subscriptions.savedTags?.some(({ tag }) => tag === wanted) !== false) return subscriptions;
	throw api.parameterError(
		'Tag',
		`${quoted(wanted)} does not exist: no saved story has it`,
		'Tags are case-sensitive. Choose one from the list.',
	);
}

/** For a tag, the service also returns stories with tags that contain it (seen in the wild). */
const savedPages: Paging = {
	...storyPages,
	read: (response, page, query) => {
		const read = storyPages.read(response, page, query);
		if (!read || query.tag === undefined) return read;
		const isTagged = (story: unknown): boolean =>
			(membersOf(asRecord(story).user_tags) ?? [query.tag]).some((tag) => toText(tag).trim() === query.tag);
		return { ...read, records: read.records.filter(isTagged) };
	},
};

/** Without notes, the service would drop those of a saved story (seen in the wild). */
async function saveStory(hash: string, api: ItemApi, parts: RequestParts): Promise<Result[]> {
	const saved = await api.once('saved hashes', async () => {
		const entries = [...(await savedByFeed(api)).values()].flat();
		return new Set(entries.map((entry) => entry.hash));
	});
	const existed = saved.has(hash);
	saved.add(hash);
	const keepsNotes = existed && parts.body.user_notes === undefined;
	const notes = keepsNotes && (await readSavedStories(api, [hash])).stories.get(hash)?.user_notes;
	const body = { ...parts.body, story_hash: hash, ...(notes ? { user_notes: notes } : {}) };
	const response = await api.ask(api.row, { ...parts, body });
	const entry = entryFor(response, hash);
	if (!entry) throw api.unmentioned(hash);
	const refusal = refusalIn(entry);
	if (refusal !== undefined) throw api.refusal(refusal, hash);
	const { starred_count } = entry;
	return await api.results([{ ...body, starred: true, starred_count, existed }], response);
}

const isSaved = aBoolean.described('Whether the story is saved');

const { userTags, highlights, notes } = simpleSavedStory.schema.members;
/** Tags and highlights are those that were sent; the service drops others. */
const savedStoryOutput = selected(
	selection({
		hash: ['story_hash', aStoryHash],
		starred: ['starred', isSaved],
		starredCount: ['starred_count', anInteger.described('Number of your saved stories')],
		userTags: ['user_tags', userTags],
		highlights: ['highlights', highlights],
		notes: [({ user_notes: kept }) => kept ?? '', notes],
		existed: ['existed', aBoolean.described('Whether the story was saved before')],
	}),
);

export const savedStory = resource(
	'Saved Story',
	{
		description: 'Stories that you saved (starred), with your tags and highlights',
		listing: {
			list: 'getTags',
			sorted: true,
			label: (entry) => `${toText(entry.tag)} (${toText(entry.count)})`,
			id: (entry) => toText(entry.tag),
		},
	},
	{
		getAll: operation('GET /reader/starred_stories', {
			action: 'Get many saved stories',
			description: 'List the saved stories, most recently saved first; saving one again does not move it',
			query: {
				tag: savedTag,
				highlights: flag(
					'Highlights Only',
					'to include only stories with a highlight (premium accounts only); a search ignores this',
					{
						paramName: 'highlightsOnly',
					},
				),
				query: searchQuery,
			},
			params: { ...storyParams, ...savedBetween },
			paging: savedPages,
			output: savedOutput,
			run: async ({ params }, api, parts) =>
				await readStoryList(api, parts, { filter: filterOf(params), dateOf: savedAt }),
		}),
		getByHash: operation('GET /reader/starred_stories', {
			action: 'Get saved stories by hash',
			description: 'Get saved stories by hash, up to a hundred in one request; missing ones are reported',
			query: { h: storyHashes() },
			params: storyParams,
			batch: savedStoriesByHash,
			output: savedOutputByHash,
		}),
		getHashes: operation('GET /reader/starred_story_hashes', {
			action: 'Get the hashes of saved stories',
			description:
				'List the hashes of all saved stories, newest first; saving one again changes its date, not its place',
			query: { include_timestamps: includeTimestamps },
			paging: singlePage((response) => {
				const hashes = membersUnder('starred_story_hashes', response);
				return hashes && storyHashesIn(hashes).map(hashRecord);
			}, 'story hashes'),
			output: listedRecord(record({ hash: aStoryHash, date: aText.described('When you last saved it') })),
		}),
		deleteTag: onNewerServers(
			operation('POST /reader/delete_starred_tag', {
				action: 'Delete a tag of saved stories for good',
				description: 'Remove a tag from all saved stories, which stay saved (newer servers)',
				...bringsSecrets,
				body: { tag_name: existingTag },
				prepare: async ({ body }, api) => {
					const known = await subscriptionsWith(body.tag_name, api);
					known.savedTags = known.savedTags?.filter(({ tag }) => tag !== body.tag_name);
					return {};
				},
				output: success,
			}),
		),
		renameTag: onNewerServers(renameTag),
		getTags: operation('GET /reader/feeds', {
			action: 'Get the tags of saved stories',
			description: 'List the tags of your saved stories, each with its number of stories',
			...bringsSecrets,
			isExtra: true,
			prepare: () => ({ query: { update_counts: false } }),
			paging: singlePage(
				({ json }) => (subscriptionsIn(json) ? (tagsIn(asRecord(json).starred_counts) ?? []) : undefined),
				'saved tags',
			),
			output: listedRecord(
				record({
					tag: aText.described('The tag'),
					count: anInteger.described('Number of stories with the tag'),
				}),
			),
		}),
		save: operation('POST /reader/mark_story_hash_as_starred', {
			action: 'Save a story',
			description: 'Save (star) a story; saving again replaces its tags and highlights',
			...bringsSecrets,
			idempotent: true,
			body: {
				story_hash: storyHashes(),
				user_tags: texts('Tags', {
					example: 'tools, cli',
					description: 'All tags of the story; they replace its current tags',
				}),
				highlights: lines('Highlights', {
					description: 'Passages of the story to highlight, one per line; they replace the earlier ones',
				}),
				user_notes: text('User Notes', {
					example: 'Look again in May',
					rows: 3,
					description: 'Your notes on the story; blank keeps the current notes',
				}),
			},
			// Each tag once: the service counts a tag that is sent twice as two stories (seen in the wild).
			prepare: ({ body }, api) => {
				const tooLong = body.user_tags?.find((tag) => [...tag].length > LONGEST_TAG);
				if (tooLong) {
					const flaw = `contain ${quoted(tooLong)}, with more than ${LONGEST_TAG} characters`;
					throw api.parameterError('Tags', flaw);
				}
				return { body: { ...body, user_tags: body.user_tags && [...new Set(body.user_tags)] } };
			},
			output: savedStoryOutput,
			run: async ({ body }, api, parts) => {
				const saved = new Map<string, Array<Result | Error>>();
				for (const hash of new Set(body.story_hash)) {
					saved.set(hash, await saveStory(hash, api, parts).catch((error: Error) => [error]));
				}
				return body.story_hash.flatMap((hash) => saved.get(hash)!);
			},
		}),
		unsave: operation('POST /reader/mark_story_hash_as_unstarred', {
			action: 'Unsave stories',
			description: 'Remove stories from your saved stories, by default a hundred in one request',
			...bringsSecrets,
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				readEntry: (response, hash) => {
					const messages = recordsIn(membersUnder('messages', response));
					const message = messages.find((entry) => entry.story_hash === hash);
					const refusal = message && refusalIn(message);
					return refusal === undefined ? { record: { hash, starred: false } } : { refusal };
				},
			},
			output: listedRecord(record({ hash: aStoryHash, starred: isSaved })),
		}),
	},
);
