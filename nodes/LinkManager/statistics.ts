import type { IDataObject } from 'n8n-workflow';
import { prominent } from '../runtime/fields/field';
import { choice } from '../runtime/fields/kinds';
import { counts, anInteger, optional, record, type RecordKind } from '../runtime/table/record';
import type { Output } from '../runtime/table/operation';
import { isRecord } from '../runtime/values';

const statistics = record({
	clicks: anInteger,
	uniqueClicks: anInteger,
	topCountries: counts,
	topReferrers: counts,
	topBrowsers: counts,
	topOs: counts,
	socialCount: counts,
});

/** The counts that rows are made of, by what a row names. */
const COUNTS = {
	browser: 'topBrowsers',
	country: 'topCountries',
	network: 'socialCount',
	referrer: 'topReferrers',
	system: 'topOs',
} as const;

const form = {
	statistics: prominent(
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
				description:
					'As part of the record, or one item for each country (or other) with its clicks, as spreadsheets take it',
			},
		),
	),
};

/** A record (`details`) with its click statistics (`data`), which QR codes and short links share; or these as rows. */
export const withStatistics = (kind: RecordKind) => ({
	form,
	output: {
		kind: record({ ...kind.members, statistics: optional(statistics) }),
		pick: ({ json }) =>
			isRecord(json) && isRecord(json.details)
				? { ...json.details, ...('data' in json && { statistics: isRecord(json.data) ? json.data : {} }) }
				: undefined,
	} satisfies Output,
	items: (
		{ form: { statistics: by = 'record' } }: { form: { statistics?: 'record' | keyof typeof COUNTS } },
		found: IDataObject,
	) => (by === 'record' ? [found] : rowsBy(by, found)),
});

/** `{ id, country: 'Canada', clicks: 4 }` for each country, most clicks first; none where nothing was counted. */
function rowsBy(by: keyof typeof COUNTS, { id, statistics: told }: IDataObject): IDataObject[] {
	const counted = isRecord(told) ? told[COUNTS[by]] : undefined;
	return Object.entries(isRecord(counted) ? counted : {})
		.map(([name, clicks]) => ({ id, [by]: name, clicks }) as IDataObject)
		.sort((one, other) => Number(other.clicks) - Number(one.clicks));
}
