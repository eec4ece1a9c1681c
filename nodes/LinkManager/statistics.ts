import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, ItemApi, Result } from '../runtime/api-types';
import { alwaysShown } from '../runtime/fields/field';
import { choice } from '../runtime/fields/kinds';
import { counts, anInteger, extended, optional, record, type RecordSchema } from '../runtime/table/record';
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

/** The map of counts behind each kind of row. */
const COUNTS = {
	browser: 'topBrowsers',
	country: 'topCountries',
	network: 'socialCount',
	referrer: 'topReferrers',
	system: 'topOs',
} as const;

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
				description: 'Part of the record, or one item for each country, browser and so on, for spreadsheets',
			},
		),
	),
};

/** Get of QR codes and short links: the record (`details`) with its statistics (`data`), or one item for each row of them. */
export const withStatistics = (schema: RecordSchema) => ({
	params,
	output: {
		schema: extended(schema, { statistics: optional(statistics) }),
		select: ({ json }) =>
			isRecord(json) && isRecord(json.details)
				? { ...json.details, ...('data' in json && { statistics: isRecord(json.data) ? json.data : {} }) }
				: undefined,
	} satisfies Output,
	present: async (
		{ params: { statistics: by = 'record' } }: { params: { statistics?: 'record' | keyof typeof COUNTS } },
		response: ApiResponse,
		api: ItemApi,
	): Promise<Result[]> => {
		const result = await api.record(response);
		return by === 'record' || api.isRaw ? [result] : rowsBy(by, result.json).map((json) => ({ json }));
	},
});

/** The click counts that a look-up by short URL returns with the link; empty without any. */
export const countsIn = (data: unknown): { clicks?: unknown; uniqueClicks?: unknown } =>
	isRecord(data)
		? {
				...(data.clicks !== undefined && { clicks: data.clicks }),
				...(data.uniqueClicks !== undefined && { uniqueClicks: data.uniqueClicks }),
			}
		: {};

/** `{ id, country: 'Canada', clicks: 4 }` for each country, most clicks first; empty without clicks. */
function rowsBy(by: keyof typeof COUNTS, { id, statistics }: IDataObject): IDataObject[] {
	const counted = isRecord(statistics) ? statistics[COUNTS[by]] : undefined;
	return Object.entries(isRecord(counted) ? counted : {})
		.map(([name, clicks]) => ({ id, [by]: name, clicks }) as IDataObject)
		.sort((one, other) => Number(other.clicks) - Number(one.clicks));
}
