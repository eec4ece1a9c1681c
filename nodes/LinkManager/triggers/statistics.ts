import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { classOf, TEMPORARY } from '../../runtime/errors/errors';
import type { Operation } from '../../runtime/table/operation';
import { isRecord, settled, toInteger, withoutBlanks } from '../../runtime/values';
import { toCount } from '../statistics';
import { idOf } from './reading';

/**
 * Statistics as the service sends them: in each group, a count for each label, such as `topCountries.Canada`. Remembered
 * ones also have `total`, the record's counter at that time, and `upTo`, the last count that was emitted since then.
 */
export type Statistics = Record<string, unknown>;
/** In each group, by how much the count of each label increased; null for a group that does not explain the increase. */
export type Changes = Record<string, Record<string, number> | null>;
export type Remembered = Array<[id: number, statistics: Statistics]>;

interface Group {
	name: string;
	/** Whether each scan or click has a label of this group. */
	isWhole: boolean;
}

/** The service's groups. A visitor may come from no page and from no network. */
const GROUPS: Record<string, Group> = {
	topCountries: { name: 'countries', isWhole: true },
	topReferrers: { name: 'referrers', isWhole: false },
	topBrowsers: { name: 'browsers', isWhole: true },
	topOs: { name: 'systems', isWhole: true },
	socialCount: { name: 'networks', isWhole: false },
};

/** The size limit of all remembered statistics together, in characters. */
const MAX_SAVED_CHARACTERS = 150_000;

/** The counts of one group; 0 for a count that can't be read. */
const countsByLabel = (statistics: Statistics, group: string): Array<[string, number]> => {
	const counts = statistics[group];
	if (!isRecord(counts)) return [];
	return Object.entries(counts).map(([label, count]) => [label, toCount(count) ?? 0]);
};

/** The changes since the last item, which ended at the count `from`; null if the statistics at that count are not known. */
export function changesOf(
	statistics: Statistics | undefined,
	previous: Statistics | undefined,
	from: number,
	total: number,
): Changes | null {
	const last = previous ?? { total: 0 };
	if (!statistics || (last.upTo ?? last.total) !== from) return null;
	const increase = total - (toInteger(last.total) ?? 0);
	return Object.fromEntries(
		Object.entries(GROUPS)
			.filter(([group]) => group in statistics)
			.map(([group, { name, isWhole }]) => [
				name,
				explaining(increase, isWhole, countsByLabel(last, group), countsByLabel(statistics, group)),
			]),
	);
}

/** By how much each count increased; null if the list is too short: the sum differs, or a label left it for one not known. */
function explaining(
	increase: number,
	isWhole: boolean,
	last: Array<[string, number]>,
	now: Array<[string, number]>,
): Record<string, number> | null {
	const [before, after] = [new Map(last), new Map(now)];
	const increases = now
		.map(([label, count]): [string, number] => [label, count - (before.get(label) ?? 0)])
		.filter(([, more]) => more > 0);
	const sum = increases.reduce((all, [, more]) => all + more, 0);
	const isExplained = sum === increase || (!isWhole && sum < increase);
	return isExplained && last.every(([label]) => after.has(label)) ? Object.fromEntries(increases) : null;
}

/** Adds a record's statistics, and its counter at that time. If all together are too long, the oldest are forgotten. */
export function rememberStatistics(
	remembered: Remembered,
	id: number,
	statistics: Statistics,
	total: number,
): Remembered {
	const groups = Object.keys(GROUPS).filter((group) => group in statistics);
	const counts = groups.map(
		(group) => [group, Object.fromEntries(countsByLabel(statistics, group))] as const,
	);
	return withEntry(remembered, id, { ...Object.fromEntries(counts), total });
}

/** Notes that a part of an increase was emitted: the changes come with its last part. */
export function notePart(remembered: Remembered, id: number, from: number, upTo: number): Remembered {
	const last = new Map(remembered).get(id) ?? { total: 0 };
	return (last.upTo ?? last.total) === from ? withEntry(remembered, id, { ...last, upTo }) : remembered;
}

function withEntry(remembered: Remembered, id: number, statistics: Statistics): Remembered {
	const entries: Remembered = [...remembered.filter(([other]) => other !== id), [id, statistics]];
	let characters = 0;
	const kept = entries.reverse().filter((entry) => {
		characters += JSON.stringify(entry).length;
		return characters <= MAX_SAVED_CHARACTERS;
	});
	return kept.reverse();
}

export interface Details {
	record: IDataObject;
	statistics?: Statistics;
}

/**
 * Requests the details of a record. Returns a temporary failure, so that the next poll tries again. If the record is
 * gone, or causes an internal error of the host, returns the record without statistics: otherwise a failure that lasts
 * would delay all events.
 */
export async function readDetails(
	get: Operation,
	record: IDataObject,
	counter: string,
	api: Api,
): Promise<Details | { failure: unknown }> {
	const response = await settled(api.ask(get, { path: { id: idOf(record) } }));
	if ('error' in response) {
		const { error } = response;
		const failure = classOf(error);
		if (failure === 'refused' || failure === 'failed') return { record };
		if (TEMPORARY.has(failure)) return { failure: error };
		throw error;
	}
	const selected = get.output.schema.coerce(get.output.select(response.value, {}), response.value.zone);
	if (!isRecord(selected)) return { record };
	const { statistics, ...members } = selected as IDataObject;
	const total = toCount(members[counter]);
	const isCurrent = total !== undefined && total >= (toCount(record[counter]) ?? 0);
	return {
		record: isCurrent ? { ...record, ...withoutBlanks(members) } : record,
		...(isRecord(statistics) && { statistics }),
	};
}
