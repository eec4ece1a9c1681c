import { byVersion, IN_VERSION_1, nothing, shownIf } from '../../runtime/fields/compound';
import { unixTime } from '../../runtime/fields/dates';
import { limiting, required, type Field, type Form } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';
import type { Parts } from '../../runtime/table/operation';

const cutoffDate = unixTime('Cutoff Date', {
	parameter: 'cutoffDate',
	description: 'Marks only the stories published before or after it',
});

const whichStories = byVersion<Field<'all' | 'newer' | 'older' | undefined>>(
	nothing,
	required(
		choice(
			'Which Stories',
			{ all: 'All', newer: 'Newer than a Date', older: 'Older than a Date' },
			{ parameter: 'whichStories', default: 'all', description: 'All of these feeds, or some by their date' },
		),
	),
);
const chosenDate = required(cutoffDate);

/** All stories, or only those on one side of a date. */
export const sideOfDate = {
	whichStories,
	date: byVersion<Field<number | undefined>>(nothing, {
		...shownIf({ whichStories: ['newer', 'older'] }, chosenDate),
		read: async (form, name) =>
			(await whichStories.read(form, 'whichStories')) === 'all'
				? undefined
				: await chosenDate.read(form, name),
	}),
};

/** The same in version 1, where each stands without the other. */
export const cutoff = {
	cutoff_timestamp: shownIf(IN_VERSION_1, limiting(cutoffDate)),
	direction: shownIf(
		IN_VERSION_1,
		limiting(
			choice(
				'Direction',
				{ newer: 'Newer than the Cutoff', older: 'Older than the Cutoff' },
				{ parameter: 'direction', default: 'older', description: 'Used together with a cutoff date' },
			),
		),
	),
};

interface Side {
	body: { cutoff_timestamp?: number; direction?: string };
	form: { whichStories?: string; date?: number };
}

/** Without a date the service would mark all that there is, whatever the direction. */
export function onSideOfDate({ body, form }: Side, refuse: Form['refuse']): Partial<Parts> {
	const { date: cutoff_timestamp, whichStories: direction } = form;
	if (cutoff_timestamp !== undefined) return { body: { ...body, cutoff_timestamp, direction } };
	if (body.direction !== 'newer' || body.cutoff_timestamp !== undefined) return {};
	throw refuse('Direction', 'is from a cutoff on, and there is none', 'Add a Cutoff Date');
}
