import { choice, flag, text } from '../../operation/kinds';
import { aBoolean, aText, record } from '../../operation/record';
import { operation, resource } from '../../operation/row';
import { isRecord } from '../../operation/values';
import { feedId, storyHashes } from './locators';
import { storyPages } from './shared';
import { storyForm, storyOutput } from './stories';

const order = choice('Order', { newest: 'Newest First', oldest: 'Oldest First' }, { default: 'newest' });
const includeHidden = flag('Include Hidden', 'to include stories that your classifiers hide', {
	parameter: 'includeHidden',
});

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
				read_filter: choice(
					'Read Filter',
					{ all: 'All', unread: 'Unread' },
					{ parameter: 'readFilter', default: 'all' },
				),
				include_hidden: includeHidden,
				query: text('Search', {
					parameter: 'searchQuery',
					example: 'solar',
					description: 'Words to look for (premium accounts only)',
				}),
			},
			form: storyForm,
			prepare: ({ query, form }) => ({
				query: { ...query, ...(form.content === 'none' && { include_story_content: false }) },
			}),
			paging: storyPages,
			output: storyOutput,
		}),
		markRead: operation('POST /reader/mark_story_hashes_as_read', {
			name: 'Mark as Read',
			action: 'Mark stories as read',
			description: 'Mark stories as read, up to a hundred in one request',
			body: { story_hash: storyHashes() },
			batch: {
				field: 'story_hash',
				size: 100,
				outcome: ({ json }, hash) => ({
					record: { story_hash: hash, read: true, changed: saysChanged(json, hash) },
				}),
			},
			output: {
				kind: record({ story_hash: aText, read: aBoolean, changed: aBoolean }),
				pick: ({ json }) => json,
			},
		}),
	},
);

/** The service names the stories that it marked; those that were read already it may leave out. */
const saysChanged = (json: unknown, hash: string): boolean =>
	!isRecord(json) || !Array.isArray(json.story_hashes) || json.story_hashes.includes(hash);
