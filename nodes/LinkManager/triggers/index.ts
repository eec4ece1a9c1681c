import type { Events } from '../../runtime/table/event';
import { newRecords } from './new-records';
import { newQrScan, newShortLinkClick } from './scans-and-clicks';

/**
 * Everything that the Link Manager Trigger can wait for. The first event is the form's default: keep it first.
 *
 * Three ideas find the events, each in a file with what it remembers at its top:
 * - `rising-ids.ts` finds records whose id is higher than the highest known one: most new records.
 * - `compared-entries.ts` compares a list with that of the last poll: domains, the items of a channel.
 * - `counter.ts` finds counts that have risen: scans and clicks.
 */
export const events = {
	newQrScan,
	...newRecords,
	newShortLinkClick,
} satisfies Events;
