import type { ApiResponse, ItemApi, Api } from '../../runtime/api-types';
import { dependent } from '../../runtime/fields/compound';
import { required } from '../../runtime/fields/field';
import { fixedCollection, json, text, requiredChoice, requiredText } from '../../runtime/fields/kinds';
import {
	aBoolean,
	aText,
	aUrlOrNull,
	anInteger,
	exact,
	optional,
	union,
	record,
} from '../../runtime/table/record';
import { fileNameIn } from '../../runtime/file-names';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { asRecord, isRecord, reasonOf, toInteger } from '../../runtime/values';
import { messageOf } from '../model/responses';
import { folderMeant, foldersOf } from '../model/folders';
import {
	feedsOfOpml,
	opmlOf,
	webAddress,
	xmlInFile,
	addressKey,
	feedAddress,
	repairedTree,
	subscribedFeeds,
	type Subscription,
	type SubscribedFeeds,
} from '../model/subscription-list';
import { countSoon, leaveCounted } from '../model/unread-counts';
import { aConfirmation } from '../outputs';

const MIME_TYPE = 'text/x-opml';
const DEFAULT_NAME = 'subscriptions.opml';
/** The service accepted the list and imports it in the background (seen in the wild). */
const QUEUED = 2;
const MOST_NAMED = 10;

const listedFeed = record({
	title: aText.described('Title of the feed'),
	url: aText.described('URL of the feed'),
	website: aUrlOrNull.described('URL of the feed’s website'),
	folder: aText.described('Path of the folder'),
});
const exported = record({
	fileName: aText.described('Name of the file in the binary field data'),
	feedCount: anInteger.described('Number of feeds'),
});

const uploaded = record({
	success: aConfirmation,
	message: optional(aText).described('Message of the service'),
	queued: aBoolean.described('Whether the service imports the list in the background'),
	feedCount: anInteger.described('Number of feeds'),
});

const listSource = requiredChoice(
	'List Source',
	{ binary: 'File', feeds: 'List of Feeds', json: 'List of Feeds (JSON)', text: 'OPML Text' },
	{ paramName: 'listSource', default: 'binary', description: 'Where to get the feeds from' },
);

const feedFields = {
	folder: text('Folder', {
		example: 'Tech / Deep',
		description: 'Its path; leave blank for the top level',
	}),
	title: text('Title', {
		example: 'Morning News',
		description: 'Of a new feed that the service knows; needs its website',
	}),
	url: requiredText('Feed URL', {
		example: 'https://news.example.com/rss.xml',
		description: 'The address of the feed itself, not of its website',
	}),
	website: text('Website', {
		example: 'https://news.example.com',
		description: 'Without that of a new feed, its recent stories may be marked as read',
	}),
};

const feeds = required(
	fixedCollection('Feeds', 'Feed', feedFields, {
		paramName: 'subscriptions',
		description: 'The feeds to subscribe to, with their folders',
	}),
);

/** The list of feeds as one value, because n8n allows no expression for all rows together. */
const feedsJson = {
	...required(fixedCollection('Feeds (JSON)', 'Feed', feedFields, { paramName: 'subscriptionsJson' })),
	properties: required(
		json('Feeds (JSON)', {
			description:
				'A list of objects with a url and, optionally, a title, a folder and a website, as Export returns them',
			empty: '[]',
		}),
	).properties,
};

/** The list to import: feeds, OPML text, or the name of a binary field. */
const importedList = dependent<Subscription[] | string>(
	listSource,
	{
		binary: requiredText('Input Binary Field', {
			paramName: 'binaryPropertyName',
			default: 'data',
			description: 'The input item’s binary field with the OPML file',
		}),
		feeds,
		json: feedsJson,
		text: requiredText('OPML', {
			paramName: 'opmlText',
			example: '<opml version="2.0">…</opml>',
			rows: 6,
			description: 'The text of an OPML file, as other readers export it',
		}),
	},
	'the subscription list',
);

/** A feed in several folders counts once. */
const countOf = (feeds: readonly Subscription[]): number => new Set(feeds.map(({ url }) => url)).size;

/** A response that is not OPML, such as a page that asks to wait, is never returned as a file. */
function readFeeds(response: ApiResponse, api: Api): Subscription[] {
	try {
		return feedsOfOpml(response.text);
	} catch (error) {
		const message = `The service exported something other than a subscription list: ${reasonOf(error)}`;
		throw api.apiError(message, 'Try again later: it may not be ready yet. Or a login page answers.');
	}
}

async function readList(list: Subscription[] | string, isFile: boolean, api: ItemApi) {
	if (typeof list !== 'string') {
		const isMasked = list.some(({ url }) => url === '***');
		if (isMasked) throw api.parameterError('Feed URL', 'is masked: "***"', 'Read it with Include Secrets');
		return list;
	}
	const upload = isFile ? await api.upload(list) : undefined;
	try {
		return feedsOfOpml(upload ? xmlInFile(upload.bytes) : list);
	} catch (error) {
		const flaw = `is not a subscription list: ${reasonOf(error)}`;
		throw api.parameterError(isFile ? 'Input Binary Field' : 'OPML', flaw, 'Enter an OPML file');
	}
}

const upload = operation('POST /import/opml_upload', {
	name: 'Import',
	description: 'Subscribe to the feeds of an OPML file, in their folders',
	params: { source: listSource },
	body: { file: importedList },
	output: listedRecord(uploaded),
	run: async ({ params, body }, api) => {
		const read = await readList(body.file, params.source === 'binary', api);
		const before = await subscribedFeeds(api);
		const folders = foldersOf(before.tree);
		// In an OPML file, folders have names, not paths that can mean two.
		const hasPaths = typeof body.file !== 'string';
		const feeds = read.map((feed): Subscription => {
			const folder = hasPaths ? folderMeant(folders, feed.folder ?? '', 'Folder', api) : undefined;
			const [url, site] = [webAddress(feed.url), webAddress(feed.website ?? '')];
			return { ...feed, url, website: feedAddress(site) && site, folder: folder?.path ?? feed.folder };
		});
		// With another website, a known feed is added again, and the two are merged and marked as read (seen in the wild).
		const added = feeds.filter(({ url }) => feedAddress(url) && !before.ids.has(feedAddress(url) ?? ''));
		const file = new File([opmlOf(added)], DEFAULT_NAME, { type: MIME_TYPE });
		const response = await api.ask(api.row, { body: { file } });
		const { code, payload } = asRecord(response.json);
		const queued = toInteger(code) === QUEUED;
		// Without folders, the service reports success without having read the list (seen in the wild).
		if (added.length > 0 && !queued && isRecord(payload) && Object.keys(payload).length === 0) {
			throw api.apiError('The service could not read the subscription list', 'It may have added some feeds.');
		}
		if (queued) {
			await countSoon(api);
			api.hint(
				'The service imports the list in the background. It looks for a folder by its name alone, wherever it is: look at your folders afterwards. Feeds that you already had are left where they are: to put them into the folders of the list, import it again',
			);
		} else {
			await finishImport(api, before, feeds).catch((error: unknown) => {
				const flaw = `The list was imported, but feeds may not be in its folders: ${reasonOf(error)}`;
				throw api.apiError(flaw, 'Import it again.');
			});
		}
		const message = messageOf(response.json);
		const result = exact(uploaded, { success: true, message, queued, feedCount: countOf(feeds) });
		return await api.results([result], response);
	},
});

/** Puts the imported feeds into their folders, and leaves them counted. */
async function finishImport(api: ItemApi, before: SubscribedFeeds, listed: Subscription[]): Promise<void> {
	const after = await subscribedFeeds(api);
	const tree = repairedTree(before, after, listed);
	if (tree) {
		const body = { folders: JSON.stringify(tree) };
		await api.send({ method: 'POST', path: '/reader/save_feed_order', body, action: 'Save the folders' });
	}
	const unknown = [...new Set(listed.map(({ url }) => url))].filter((url) => !after.ids.has(addressKey(url)));
	if (unknown.length > 0) {
		const more = unknown.length > MOST_NAMED ? ' and others' : '';
		api.hint(
			`The service did not import these feeds, or has them under another address, perhaps in another folder: ${unknown.slice(0, MOST_NAMED).join(', ')}${more}`,
		);
	}
	const known = new Set([...before.ids.values()].flat());
	const added = new Set([...after.ids.values()].flat().filter((id) => !known.has(id)));
	await leaveCounted(api, [...added]);
}

export const subscriptionList = resource(
	'Subscription List',
	{ description: 'Your feeds and folders as an OPML file' },
	{
		export: operation('GET /import/opml_export', {
			action: 'Export the subscription list',
			description: 'Get your feeds and folders as an OPML file, or as items',
			params: {
				result: requiredChoice(
					'Export As',
					{ feeds: 'Items', file: 'OPML File' },
					{
						paramName: 'exportAs',
						default: 'file',
						description: 'A file for another reader, or items for the next node',
					},
				),
			},
			prepare: () => ({ accepts: 'anything' }),
			output: listedRecord(union(listedFeed, exported.members)),
			present: async ({ params }, response, api) => {
				const feeds = readFeeds(response, api);
				if (params.result === 'feeds') return await api.results(feeds, response);
				const fileName = fileNameIn(response.headers) ?? DEFAULT_NAME;
				const data = await api.file(response.bytes, fileName, MIME_TYPE);
				return [{ json: exact(exported, { fileName, feedCount: countOf(feeds) }), binary: { data } }];
			},
		}),
		upload,
	},
);
