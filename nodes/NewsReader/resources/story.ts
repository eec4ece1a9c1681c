import { flag } from '../../runtime/fields/kinds';
import { aBoolean, aText, record } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { deprecatedMarks } from './deprecatedMarks';
import { feedId, storyHashes } from './locators';
import { getOriginalPage, getOriginalText } from './originals';
import { each, storyPages, storyPagesUpToLast } from './shared';
import { storyForm, storyOutput } from './stories';
import { storiesByHash } from './storiesByHash';
import { HASHES_PER_REQUEST, objectionTo, saidOf } from './storyAnswers';
import { includeHidden, order, readFilter, searchQuery } from './storyFilters';
import { getUnread, getUnreadHashes } from './unread';

/** The service names the stories that it marked; those that were read already it may leave out. */
const saysChanged = (json: unknown, hash: string): boolean =>
	!isRecord(json) || !Array.isArray(json.story_hashes) || json.story_hashes.includes(hash);

export const story = resource(
	'Story',
	{ description: 'Stories of your feeds, and which of them are read' },
	{
		getAll: operation('GET /reader/feed/{id}', {
			name: 'Get Many',
			action: 'Get many stories of a feed',
			description: 'List the stories of one feed',
			path: { id: feedId },
			query: {
				order,
				read_filter: readFilter('all'),
				include_hidden: includeHidden,
				include_story_content: flag('Include Story Content', 'the service sends the stories’ content', {
					parameter: 'includeStoryContent',
					default: true,
				}),
				query: searchQuery,
			},
			form: storyForm,
			prepare: ({ query, form }) => ({
				query: { ...query, ...(form.content === 'none' && { include_story_content: false }) },
			}),
			paging: storyPagesUpToLast,
			output: storyOutput,
		}),
		getByHash: storiesByHash,
		getHistory: operation('GET /reader/read_stories', {
			name: 'Get Read History',
			action: 'Get the history of read stories',
			description: 'List the stories that you have read, last read first',
			query: { order },
			form: storyForm,
			paging: storyPages,
			output: storyOutput,
		}),
		getOriginalPage,
		getOriginalText,
		getUnread,
		getUnreadHashes,
		markRead: operation('POST /reader/mark_story_hashes_as_read', {
			name: 'Mark as Read',
			action: 'Mark stories as read',
			description: 'Mark stories as read, up to a hundred in one request',
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				size: HASHES_PER_REQUEST,
				outcome: ({ json }, hash) => ({
					record: { story_hash: hash, read: true, changed: saysChanged(json, hash) },
				}),
			},
			output: each(record({ story_hash: aText, read: aBoolean, changed: aBoolean })),
		}),
		markUnread: operation('POST /reader/mark_story_hash_as_unread', {
			name: 'Mark as Unread',
			action: 'Mark stories as unread',
			description: 'Mark stories as unread, which the service refuses for old ones',
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				size: HASHES_PER_REQUEST,
				outcome: (answer, hash) => {
					const said = saidOf(answer, hash);
					if (!said) return { failure: `The service did not say whether ${hash} is unread now` };
					const failure = objectionTo(said);
					return failure ? { failure } : { record: { story_hash: hash, read: false } };
				},
			},
			output: each(record({ story_hash: aText, read: aBoolean })),
		}),
		...deprecatedMarks,
	},
);
