import { prominent } from '../../runtime/fields/field';
import { unixTime } from '../../runtime/fields/dates';
import { choice, integer } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, record } from '../../runtime/table/record';
import { operation } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { chosenFeeds, sendsChosenFeeds, whichFeeds } from './feedChoice';
import { done, each } from './shared';

/** The complaint of an answer that names this feed. */
function complaintAbout({ json }: Answer, feedId: string): string | undefined {
	const errors: unknown[] = isRecord(json) && Array.isArray(json.errors) ? json.errors : [];
	return errors.map(String).find((error) => new Set<string>(error.match(/(?:social:)?\d+/g)).has(feedId));
}

export const markFeedsRead = operation('POST /reader/mark_feed_as_read', {
	name: 'Mark as Read',
	action: 'Mark feeds as read',
	description: 'Mark all stories of feeds as read, or only those on one side of a date',
	form: { whichFeeds },
	body: {
		feed_id: chosenFeeds,
		cutoff_timestamp: unixTime('Cutoff Date', {
			parameter: 'cutoffDate',
			description: 'Marks only the stories published before or after it',
		}),
		direction: choice(
			'Direction',
			{ newer: 'Newer than the Cutoff', older: 'Older than the Cutoff' },
			{ parameter: 'direction', default: 'older', description: 'Used together with a cutoff date' },
		),
	},
	check: sendsChosenFeeds('body', 'feed_id'),
	batch: {
		field: 'feed_id',
		size: 100,
		outcome: (answer, feedId) => {
			const failure = complaintAbout(answer, feedId);
			return failure ? { failure } : { record: { feed_id: feedId, read: true } };
		},
	},
	output: each(record({ feed_id: anInteger, read: aBoolean })),
});

export const markAllRead = operation('POST /reader/mark_all_as_read', {
	name: 'Mark All as Read',
	action: 'Mark all feeds as read',
	description: 'Mark the stories of all feeds as read',
	body: {
		days: prominent(
			integer('Days', {
				parameter: 'days',
				min: 0,
				description: 'Stories of the last so many days stay unread; 0 marks everything',
			}),
		),
	},
	output: done,
});
