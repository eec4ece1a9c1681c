import { prominent } from '../../runtime/fields/field';
import { choice, ids } from '../../runtime/fields/kinds';
import { aText, anInteger, record } from '../../runtime/table/record';
import {
	operation,
	type Operation,
	type Result,
	type Route,
	type Tools,
} from '../../runtime/table/operation';
import { toBoolean } from '../../runtime/values';
import { faviconUri } from './feedList';
import { dataOf, each } from './shared';

const faviconFormat = prominent(
	choice(
		'Favicon Format',
		{ file: 'Binary File', uri: 'Data URI' },
		{
			parameter: 'faviconFormat',
			default: 'uri',
			description: 'A file stands in the field data of its item',
		},
	),
);

/** One icon as an item; a feed without one has null in its place. */
async function iconOf(feedId: number, uri: string | null, isFile: boolean, tools: Tools): Promise<Result> {
	if (!isFile || uri === null) return { json: { feed_id: feedId, favicon: uri } };
	const [head = '', base64 = ''] = uri.split(',');
	const mimeType = /^data:([^;]+)/.exec(head)?.[1] ?? 'image/png';
	const fileName = `favicon-${feedId}.${mimeType.replace(/^image\/(?:x-|vnd\.microsoft\.)?|\+xml$/g, '')}`;
	const data = await tools.file(Buffer.from(base64, 'base64'), fileName, mimeType);
	return { json: { feed_id: feedId }, binary: { data } };
}

/** The interface has two addresses for the same. */
const favicons = (route: Route, words: { name: string; action: string; description: string }): Operation => {
	const row: Operation = operation(route, {
		...words,
		query: { feed_ids: ids('Feeds', 'feed', { parameter: 'feedIds' }) },
		form: { faviconFormat },
		output: each(record({ feed_id: anInteger, favicon: aText })),
		run: async ({ form }, tools, parts) => {
			const answer = await tools.ask(row, parts);
			if (toBoolean(tools.option('rawAnswer'))) return tools.results([], answer);
			const icons = Object.entries(dataOf(answer) ?? {}).filter(([key]) => /^\d+$/.test(key));
			return await Promise.all(
				icons.map(async ([id, icon]) =>
					iconOf(Number(id), faviconUri(icon), form.faviconFormat === 'file', tools),
				),
			);
		},
	});
	return row;
};

export const getFavicons = favicons('GET /reader/favicons', {
	name: 'Get Favicons',
	action: 'Get favicons of feeds',
	description: 'Get the icons of some or all of your active feeds',
});

export const getFaviconsSeparately = favicons('GET /api/v1/feeds/favicons/', {
	name: 'Get Favicons Separately',
	action: 'Get favicons of feeds from the separate address',
	description: 'Get the icons from the service’s other address for them, where it has that',
});
