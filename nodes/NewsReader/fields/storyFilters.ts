import { choice, flag, text } from '../../runtime/fields/kinds';

/** What narrows and orders lists of stories, alike for feeds and rivers. */
export const order = choice(
	'Order',
	{ newest: 'Newest First', oldest: 'Oldest First' },
	{ parameter: 'order', default: 'newest', description: 'Which stories come first' },
);

export const includeHidden = flag(
	'Include Hidden',
	'to include stories hidden because of what you dislike (your classifiers)',
	{
		parameter: 'includeHidden',
	},
);

export const searchQuery = text('Search', {
	parameter: 'searchQuery',
	example: 'solar',
	description: 'Words to look for (premium accounts only)',
});

export const includeTimestamps = flag(
	'Include Timestamps',
	'to include a date beside the hash of each story: when it was published, or saved',
	{
		parameter: 'includeTimestamps',
		default: true,
		prominent: true,
	},
);

export const readFilter = (initial: 'all' | 'unread') =>
	choice(
		'Read Filter',
		{ all: 'All', unread: 'Unread' },
		{ parameter: 'readFilter', default: initial, description: 'All stories, or only what you have not read' },
	);
