import { unixTime } from '../../runtime/fields/dates';
import { advanced, required, type Values, type Field } from '../../runtime/fields/field';
import { choice, flag, text, texts, requiredChoice } from '../../runtime/fields/kinds';
import type { StoryFilter } from '../model/story-lists';
import { shownIf } from '../../runtime/fields/compound';

const orders = { newest: 'Newest First', oldest: 'Oldest First' };
const orderField = (description: string) =>
	advanced(choice('Order', orders, { default: 'newest', description }));
export const order = orderField('Which stories come first');
export const shareOrder = orderField(
	'Oldest First leaves out shares from before you marked the feed as read',
);

export const includeHidden = flag(
	'Include Hidden',
	'to include stories hidden because of what you dislike (your classifiers)',
);

export const searchQuery = text('Search', {
	paramName: 'searchQuery',
	example: 'solar',
	description: 'Words to look for (premium accounts only)',
});

export const includeTimestamps = flag(
	'Include Timestamps',
	'to include a date with each hash: when the story was published or last saved',
	{ alwaysShown: true, default: true },
);

const UNREAD_OF_OWN = 'All or unread stories; of what you don’t subscribe to, always all (in a search, none)';
export const readFilter = (initial: 'all' | 'unread', description = UNREAD_OF_OWN) =>
	choice('Read Filter', { all: 'All', unread: 'Unread' }, { default: initial, description });

/** Filters that the node itself applies to the stories of a list. */
export const storyFilters = {
	newerThan: unixTime('Newer Than', { description: 'Only stories published after this date' }),
	olderThan: unixTime('Older Than', { description: 'Only stories published before this date' }),
	author: text('Author Contains', {
		paramName: 'authorContains',
		example: 'Ada',
		description: 'Part of an author’s name, ignoring case',
	}),
	focus: flag('Focus Only', 'to return only stories with something that you like (a positive score)', {
		paramName: 'focusOnly',
	}),
	saved: flag('Saved Only', 'to return only stories that you saved', { paramName: 'savedOnly' }),
	tags: texts('Tags', {
		paramName: 'storyTags',
		example: 'tools, cli',
		description: 'Only stories with at least one of these tags',
	}),
	title: text('Title Contains', {
		paramName: 'titleContains',
		example: 'solar',
		description: 'Part of the title, ignoring case',
	}),
};

/** The service doesn't say when a story was read, only when it was published. */
export const publishedBetween = { newerThan: storyFilters.newerThan, olderThan: storyFilters.olderThan };

export const savedBetween = {
	newerThan: unixTime('Saved After', {
		paramName: 'savedAfter',
		description: 'Only stories saved after this date',
	}),
	olderThan: unixTime('Saved Before', {
		paramName: 'savedBefore',
		description: 'Only stories saved before this date',
	}),
};

export const filterOf = (params: Partial<Values<typeof storyFilters>>): StoryFilter =>
	Object.fromEntries(
		Object.entries(params).filter(
			([name, value]) => Object.hasOwn(storyFilters, name) && value !== undefined && value !== false,
		),
	);

export const similarStories = choice(
	'Similar Stories',
	{
		inside: {
			name: 'Inside the Story',
			description: 'The best on each page of the list, which names the others; filters look only at it',
		},
		items: { name: 'As Items of Their Own', description: 'Each story is an item of its own' },
	},
	{
		default: 'inside',
		description: 'What to do with similar stories of several feeds, which newer servers group',
	},
);

const WHICH_STORIES = 'whichStories';
const whichStories = requiredChoice(
	'Which Stories',
	{
		all: 'All',
		newer: { name: 'Newer than a Date', description: 'At most the newest 500 of each feed' },
		older: 'Older than a Date',
	},
	{ paramName: WHICH_STORIES, default: 'all', description: 'All until now, or those until or after a date' },
);
const cutoffDate = required(
	unixTime('Cutoff Date', {
		paramName: 'cutoffDate',
		description:
			'Only stories published before or after this date, or exactly then; a future date includes stories to come',
	}),
);

const direction: Field<'newer' | 'older' | undefined> = {
	...whichStories,
	required: false,
	read: async (reader, name) => {
		const chosen = await whichStories.read(reader, name);
		return chosen === 'all' ? undefined : chosen;
	},
};

const cutoff: Field<number | undefined> = {
	...shownIf({ [WHICH_STORIES]: ['newer', 'older'] }, cutoffDate),
	required: false,
	read: async (reader, name) =>
		(await direction.read(reader, WHICH_STORIES)) && ((await cutoffDate.read(reader, name)) || 1),
};

/** If a request has no date, or 0, the service ignores the direction and marks every story (seen in the wild). */
export const sideOfDate = { direction, cutoff_timestamp: cutoff };
