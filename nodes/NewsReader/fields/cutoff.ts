import { unixTime } from '../../runtime/fields/dates';
import { limiting, type Form } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';

/** Only the stories on one side of a date. */
export const cutoff = {
	cutoff_timestamp: limiting(
		unixTime('Cutoff Date', {
			parameter: 'cutoffDate',
			description: 'Marks only the stories published before or after it',
		}),
	),
	direction: limiting(
		choice(
			'Direction',
			{ newer: 'Newer than the Cutoff', older: 'Older than the Cutoff' },
			{ parameter: 'direction', default: 'older', description: 'Used together with a cutoff date' },
		),
	),
};

/** Without a date the service would mark all that there is, whatever the direction. */
export function needsCutoff(
	{ body }: { body: { cutoff_timestamp?: number; direction?: string } },
	refuse: Form['refuse'],
): object {
	if (body.direction !== 'newer' || body.cutoff_timestamp !== undefined) return {};
	throw refuse('Direction', 'is from a cutoff on, and there is none', 'Add a Cutoff Date');
}
