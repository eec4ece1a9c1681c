import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, ItemApi, Result } from '../runtime/api-types';
import { alwaysShown } from '../runtime/fields/field';
import { choice } from '../runtime/fields/kinds';
import { counts, anInteger, extended, optional, record, type RecordSchema } from '../runtime/table/record';
import type { Output } from '../runtime/table/operation';
import { asRecord, isBlank, isRecord, toInteger } from '../runtime/values';

const statistics = record({
	clicks: anInteger,
	uniqueClicks: anInteger,
	topCountries: counts,
	topReferrers: counts,
	topBrowsers: counts,
	topOs: counts,
	socialCount: counts,
});

/** The service's counts for each kind of row: Rows by Browser are made of `topBrowsers`. */
const COUNTS = {
	browser: 'topBrowsers',
	country: 'topCountries',
	network: 'socialCount',
	referrer: 'topReferrers',
	system: 'topOs',
} as const;
type RowKind = keyof typeof COUNTS;

const params = {
	statistics: alwaysShown(
		choice(
			'Statistics',
			{
				record: 'In the Record',
				browser: 'Rows by Browser',
				country: 'Rows by Country',
				network: 'Rows by Social Network',
				referrer: 'Rows by Referrer',
				system: 'Rows by System',
			},
			{
				default: 'record',
				description: 'In the record, or items with id, clicks and browser, country, network or such',
			},
		),
	),
};

/**
 * The part of a row `get` that QR codes and short links share. The service returns the record as `details` and its
 * statistics as `data`; the result is the record with its statistics, or one item for each row of statistics.
 */
export const withStatistics = (schema: RecordSchema, counter: string) => ({
	params,
	output: {
		schema: extended(schema, {
			statistics: optional(statistics).described(
				'Clicks or scans by country, referrer, browser, system and social network',
			),
		}),
		select: ({ json }) =>
			isRecord(json) && isRecord(json.details)
				? {
						...json.details,
						// The record may lack what its statistics count (seen in the wild).
						...(isBlank(json.details[counter]) && { [counter]: asRecord(json.data).clicks }),
						...('data' in json && { statistics: isRecord(json.data) ? json.data : {} }),
					}
				: undefined,
	} satisfies Output,
	present: async (
		{ params }: { params: { statistics?: 'record' | RowKind } },
		response: ApiResponse,
		api: ItemApi,
	): Promise<Result[]> => {
		const { statistics: kind = 'record' } = params;
		const result = await api.resultIn(response);
		if (kind === 'record' || api.isRaw) return [result];
		return statisticsRows(kind, result.json).map((json) => ({ json }));
	},
});

/** Rows such as `{ id, country: 'Canada', clicks: 4 }`, most clicks first; none if nothing was counted. */
function statisticsRows(kind: RowKind, { id, statistics }: IDataObject): IDataObject[] {
	const clicksByName = isRecord(statistics) ? statistics[COUNTS[kind]] : undefined;
	const counted = Object.entries(isRecord(clicksByName) ? clicksByName : {});
	// The networks are always listed.
	if (counted.every(([, clicks]) => Number(clicks) === 0)) return [];
	return counted
		.map(([name, clicks]) => ({ id, [kind]: name, clicks }) as IDataObject)
		.sort((a, b) => (toCount(b.clicks) ?? 0) - (toCount(a.clicks) ?? 0));
}

/** A count as a number, or as digits that may be grouped, such as `1,234`; undefined for anything else. */
export function toCount(raw: unknown): number | undefined {
	const digits = typeof raw === 'string' ? raw.trim().replace(/[,.'’\s](?=\d{3}(?!\d))/g, '') : raw;
	const count = toInteger(digits);
	return count === undefined ? undefined : Math.max(count, 0);
}
