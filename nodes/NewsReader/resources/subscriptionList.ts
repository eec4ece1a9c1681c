import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import { dependent } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { choice, fixedCollection, json, text } from '../../runtime/fields/kinds';
import {
	aBoolean,
	aText,
	aUrlOrNull,
	anInteger,
	make,
	optional,
	orElse,
	record,
} from '../../runtime/table/record';
import { operation, resource, type ItemApi, type Operation, type Api } from '../../runtime/table/operation';
import { isRecord, toInteger } from '../../runtime/values';
import { messageOf } from '../model/answers';
import { toFolderPath } from '../model/folders';
import { decodeXml, feedsOfOpml, opmlOf, type Subscription } from '../model/opml';
import { listedRecord } from '../../runtime/table/outputs';

const MIME_TYPE = 'text/x-opml';
/** The service took the list and imports it in the background (seen in the wild). */
const QUEUED = 2;

/** A feed of the list; or the file, with the number of its feeds. */
const listedFeed = record({ title: aText, url: aText, website: aUrlOrNull, folder: aText });
const exported = record({ fileName: aText, feedCount: anInteger });

const uploaded = record({
	success: aBoolean,
	message: optional(aText),
	queued: aBoolean,
	feedCount: anInteger,
});

const sources = { binary: 'File', feeds: 'List of Feeds', json: 'List of Feeds (JSON)', text: 'OPML Text' };

type Source = { property: string } | { xml: string };

const as = <Value>(field: Field<Value>, source: (value: Value) => Source): Field<Source> => ({
	...field,
	read: async (form, name) => source(await field.read(form, name)),
});

const feeds = required(
	fixedCollection(
		'Feeds',
		'Feed',
		{
			folder: text('Folder', {
				example: 'Tech / Deep',
				description: 'Its path; leave blank for the top level',
			}),
			title: text('Title', { example: 'Morning News', description: 'What the feed is called' }),
			url: required(
				text('Feed URL', {
					example: 'https://news.example.com/rss.xml',
					description: 'The address of the feed itself, not of its website',
				}),
			),
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
			empty: '[]',
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
				default: 'data',
				description: 'The input item’s binary field with the OPML file',
			}),
		),
		(property) => ({ property }),
	),
	feeds: as(feeds, asOpml),
	json: as(feedsJson, asOpml),
	text: as(
		required(
			text('OPML', {
				parameter: 'opmlText',
				example: '<opml version="2.0">…</opml>',
				rows: 6,
				description: 'The text of an OPML file, as other readers export it',
			}),
		),
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
				{
					parameter: 'exportAs',
					default: 'file',
					description: 'A file for another reader, or items for n8n',
				},
			),
		),
	},
	prepare: () => ({ accepts: 'anything' }),
	output: listedRecord(orElse(listedFeed, exported.members)),
	run: async ({ form }, api, parts) => {
		const answer = await api.ask(exportList, parts);
		const feeds = readFeeds(answer, api);
		if (form.result === 'feeds') return await api.results(feeds, answer);
		const fileName = fileNameOf(answer);
		const data = await api.file(answer.bytes, fileName, MIME_TYPE);
		return [{ json: make(exported, { fileName, feedCount: feeds.length }), binary: { data } }];
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

/** A file as it is sent: in UTF-8, whatever it came in, as the service reads no other (seen in the wild). */
async function readList(source: Source, api: ItemApi): Promise<{ file: File; feedCount: number }> {
	const { bytes, fileName } =
		'xml' in source
			? { bytes: Buffer.from(source.xml), fileName: 'subscriptions.opml' }
			: await api.upload(source.property);
	try {
		const xml = decodeXml(bytes);
		const addresses = new Set(feedsOfOpml(xml).map(({ url }) => url));
		return { file: new File([xml], fileName, { type: MIME_TYPE }), feedCount: addresses.size };
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const parameter = 'xml' in source ? 'OPML' : 'Input Binary Field';
		throw api.refuse(parameter, reason, 'Give an OPML file, as other readers export it');
	}
}

/** Whether the service says success without having read the list: then it tells no folders (seen in the wild). */
const isUnread = ({ json: answer }: Answer): boolean =>
	isRecord(answer) &&
	toInteger(answer.code) !== QUEUED &&
	isRecord(answer.payload) &&
	Object.keys(answer.payload).length === 0;

const upload: Operation = operation('POST /import/opml_upload', {
	name: 'Import',
	action: 'Import a subscription list',
	description: 'Subscribe to the feeds of an OPML file, in their folders',
	form: {
		source: required(
			choice('List Source', sources, {
				parameter: 'listSource',
				default: 'binary',
				description: 'Where the feeds to subscribe to come from',
			}),
		),
	},
	body: { file: list },
	output: listedRecord(uploaded),
	run: async ({ body }, api) => {
		const { file, feedCount } = await readList(body.file, api);
		const answer = await api.ask(upload, { body: { file } });
		if (isUnread(answer)) {
			throw api.failure('The service could not read the subscription list', 'It imported nothing.');
		}
		const message = messageOf(answer.json);
		const queued = isRecord(answer.json) && toInteger(answer.json.code) === QUEUED;
		const result = make(uploaded, {
			success: true,
			...(message !== undefined && { message }),
			queued,
			feedCount,
		});
		return await api.results([result], answer);
	},
});

export const subscriptionList = resource(
	'Subscription List',
	{ description: 'Your feeds and folders as an OPML file' },
	{
		export: exportList,
		upload,
	},
);
