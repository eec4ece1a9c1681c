import { shownIf } from '../../runtime/fields/compound';
import { unixTime } from '../../runtime/fields/dates';
import { required, type Field } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';

const WHICH_STORIES = 'whichStories';
const whichStories = required(
	choice(
		'Which Stories',
		{ all: 'All', newer: 'Newer than a Date', older: 'Older than a Date' },
		{ paramName: WHICH_STORIES, default: 'all', description: 'All stories, or those before or after a date' },
	),
);
const cutoffDate = required(
	unixTime('Cutoff Date', {
		paramName: 'cutoffDate',
		description: 'Marks only stories published before or after this date, and those published exactly then',
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
		(await direction.read(reader, WHICH_STORIES)) && (await cutoffDate.read(reader, name)),
};

/**
 * Marks only stories before or after a date. If a request has no date, the service ignores the direction and marks
 * every story.
 */
export const sideOfDate = { cutoff_timestamp: cutoff, direction };
