import type { IBinaryData } from 'n8n-workflow';
import type { ApiResponse, Result, ItemApi } from '../../runtime/api-types';
import { aTextOrNull, exact, optional, record, type ValueSchema } from '../../runtime/table/record';
import { withoutEnvelope } from './responses';
import { aFeedId } from './names';

/** An icon as a data URI; hosts also send bare Base64 (seen in the wild). Null if there is no icon. */
const faviconUri = (favicon: unknown): string | null => {
	if (typeof favicon !== 'string' || favicon === '') return null;
	return favicon.startsWith('data:') ? favicon : `data:image/png;base64,${favicon}`;
};

/** An icon in a record. */
export const aFavicon: ValueSchema = {
	...aTextOrNull.described('Icon of the feed: a data URI, or its URL'),
	coerce: faviconUri,
};

export const faviconRecord = record({
	feedId: aFeedId,
	favicon: optional(aFavicon),
});

interface Favicon {
	feedId: number;
	uri: string | null;
}

/** The icons of a response, each with its feed. */
const faviconsIn = (response: ApiResponse): Favicon[] =>
	Object.entries(withoutEnvelope(response) ?? {})
		.filter(([key]) => /^\d+$/.test(key))
		.map(([id, favicon]) => ({ feedId: Number(id), uri: faviconUri(favicon) }));

/** The icons of a response as results: as data URIs in the records, or as files. A feed without an icon has null. */
export const faviconResults = async (
	response: ApiResponse,
	api: ItemApi,
	inFiles: boolean,
): Promise<Result[]> =>
	await Promise.all(
		faviconsIn(response).map(async ({ feedId, uri }) => {
			const binary = inFiles && uri !== null && { data: await faviconFile(feedId, uri, api) };
			const icon = exact(faviconRecord, { feedId, ...(!binary && { favicon: uri }) });
			const [result = { json: {} }] = await api.results([icon], response);
			return { ...result, ...(binary && { binary }) };
		}),
	);

/** An icon as a file. */
async function faviconFile(feedId: number, uri: string, api: ItemApi): Promise<IBinaryData> {
	const comma = uri.indexOf(',');
	const head = uri.slice(0, comma);
	const bytes = percentDecoded(uri.slice(comma + 1));
	const mimeType = /^data:([a-z]+\/[a-z][\w.+-]*)/i.exec(head)?.[1] ?? 'image/png';
	const [extension = 'png'] = mimeType.replace(/^image\/(?:x-|vnd\.microsoft\.)?/, '').split(/[^\w-]/);
	const file = /;\s*base64$/i.test(head) ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes;
	return await api.file(file, `favicon-${feedId}.${extension}`, mimeType);
}

/** The bytes of a text in which some are written as `%20`. */
const percentDecoded = (text: string): Buffer =>
	Buffer.from(
		Buffer.from(text)
			.toString('latin1')
			.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
		'latin1',
	);
