import type { IDataObject } from 'n8n-workflow';
import { dependent } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { choice, json, rows, text } from '../../runtime/fields/kinds';
import { aBoolean, aText, aUrlOrNull, anInteger, record } from '../../runtime/table/record';
import { operation, resource, type Operation } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';
import type { Api } from '../../runtime/transport/api';
import { messageOf } from '../model/answers';
import { toFolderPath } from '../model/folders';
import { feedsOfOpml, opmlOf, type Subscription } from '../model/opml';

const MIME_TYPE = 'text/x-opml';
/** The service took the list and imports it in the background (seen in the wild). */
const QUEUED = 2;

const subscription = record({ title: aText, url: aText, website: aUrlOrNull, folder: aText });

const uploaded = record({ success: aBoolean, message: aText, queued: aBoolean, feedCount: anInteger });

const sources = { binary: 'File', feeds: 'List of Feeds', json: 'List of Feeds (JSON)', text: 'OPML Text' };

type Source = { property: string } | { xml: string };

const as = <Value>(field: Field<Value>, source: (value: Value) => Source): Field<Source> => ({
	...field,
	read: async (form, name) => source(await field.read(form, name)),
});

const feeds = required(
	rows(
		'Feeds',
		'Feed',
		{
			folder: text('Folder', { example: 'Tech / Deep', description: 'Blank for the top level' }),
			title: text('Title', { example: 'Morning News' }),
			url: required(text('Feed URL', { example: 'https://news.example.com/rss.xml' })),
		},
		{ parameter: 'subscriptions', description: 'The feeds to subscribe to, with their folders' },
	),
);

/** The same list as one value: n8n takes no expression for rows as a whole. */
const feedsJson: typeof feeds = {
	...feeds,
	parameter: 'subscriptionsJson',
	properties: required(
		json('Feeds (JSON)', {
			description: 'A list of objects with url, and title and folder where wanted, as Export gives them',
		}),
	).properties,
};

const asOpml = (list: Subscription[]): Source => ({
	xml: opmlOf(list.map((feed) => ({ ...feed, folder: feed.folder && toFolderPath(feed.folder) }))),
});

/** The forms in which a list can be given. */
const list = dependent<Source>('listSource', {
	binary: as(
		required(
			text('Input Binary Field', {
				parameter: 'binaryPropertyName',
				example: 'data',
				description: 'The input item’s binary field with the OPML file',
			}),
		),
		(property) => ({ property }),
	),
	feeds: as(feeds, asOpml),
	json: as(feedsJson, asOpml),
	text: as(
		required(text('OPML', { parameter: 'opmlText', example: '<opml version="2.0">…</opml>', rows: 6 })),
		(xml) => ({ xml }),
	),
});

const exportList: Operation = operation('GET /import/opml_export', {
	name: 'Export',
	action: 'Export the subscription list',
	description: 'Get your feeds and folders as an OPML file, or one item per feed',
	form: {
		result: required(
			choice(
				'Export As',
				{ feeds: 'One Item per Feed', file: 'OPML File' },
				{ parameter: 'exportAs', default: 'file' },
			),
		),
	},
	prepare: () => ({ accepts: 'anything' }),
	output: { kind: subscription, pick: ({ json }) => json },
	run: async ({ form }, api, parts) => {
		const answer = await api.ask(exportList, parts);
		const feeds = readFeeds(answer, api);
		if (form.result === 'feeds') return api.results(feeds, answer);
		const fileName = fileNameOf(answer);
		const data = await api.file(answer.bytes, fileName, MIME_TYPE);
		return [{ json: { fileName, feedCount: feeds.length }, binary: { data } }];
	},
});

/** An answer that is no OPML (a page that asks for patience, say) is never handed on as a file. */
function readFeeds({ text: xml }: Answer, api: Api): IDataObject[] {
	try {
		return feedsOfOpml(xml);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw api.failure(
			`The service exported something else than a subscription list: ${reason}`,
			'Try again later: the service may still be preparing it.',
		);
	}
}

const fileNameOf = ({ headers }: Answer): string =>
	/filename="?([^";/\\]+)"?/i.exec(String(headers['content-disposition'] ?? ''))?.[1] ?? 'subscriptions.opml';

export const subscriptionList = resource(
	'Subscription List',
	{ description: 'Your feeds and folders as an OPML file' },
	{
		export: exportList,
		upload: operation('POST /import/opml_upload', {
			name: 'Import',
			action: 'Import a subscription list',
			description: 'Subscribe to the feeds of an OPML file, in their folders',
			form: {
				source: required(choice('List Source', sources, { parameter: 'listSource', default: 'binary' })),
			},
			body: { file: list },
			check: async ({ body: { file } }, api) => {
				const { bytes, fileName } =
					'xml' in file
						? { bytes: Buffer.from(file.xml), fileName: 'subscriptions.opml' }
						: await api.upload(file.property);
				return { body: { file: new File([new Uint8Array(bytes)], fileName, { type: MIME_TYPE }) } };
			},
			output: {
				kind: uploaded,
				pick: ({ json }) => {
					if (!isRecord(json)) return undefined;
					const message = messageOf(json);
					const payload = isRecord(json.payload) ? json.payload : {};
					const feeds = isRecord(payload.feeds) ? Object.keys(payload.feeds) : payload.feeds;
					const feedCount = payload.feed_count ?? (Array.isArray(feeds) ? feeds.length : undefined);
					return {
						success: true,
						...(message !== undefined && { message }),
						queued: toInteger(json.code) === QUEUED,
						...(feedCount !== undefined && { feedCount }),
					};
				},
			},
		}),
	},
);
