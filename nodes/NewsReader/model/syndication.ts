import type { IDataObject } from 'n8n-workflow';
import { parseXml } from '../../../vendor/xml';
import { aText, listOf, record } from '../../runtime/table/record';
import { isRecord } from '../../runtime/values';

export const entryRecord = record({
	id: aText.described('ID that the publisher gave the entry'),
	title: aText.described('Title of the entry'),
	link: aText.described('URL of the entry'),
	author: aText.described('Author of the entry'),
	date: aText.described('When the entry was published'),
	tags: listOf(aText).described('Tags of the entry'),
	content: aText.described('Text of the entry'),
});

/** The entries of an Atom document (seen in the wild) or an RSS one. Throws if it is neither. */
export function feedEntries(xml: string): IDataObject[] {
	const { feed, rss } = parseXml(xml);
	if (isRecord(feed)) return several(feed.entry).map(fromAtom);
	const channel = isRecord(rss) && isRecord(rss.channel) ? rss.channel : undefined;
	if (channel) return several(channel.item).map(fromRss);
	throw new Error('it is neither an Atom nor an RSS feed');
}

const fromAtom = (entry: Record<string, unknown>): IDataObject => ({
	id: textOf(entry.id),
	title: textOf(entry.title),
	link: String(several(entry.link).find(isPage)?.['@_href'] ?? ''),
	author: several(entry.author)
		.map(({ name }) => textOf(name))
		.join(', '),
	date: isoOfPublished(textOf(entry.published) || textOf(entry.updated)),
	tags: several(entry.category).map((category) => String(category['@_term'] ?? '')),
	content: textOf(entry.content) || textOf(entry.summary),
});

const isPage = (link: Record<string, unknown>): boolean => (link['@_rel'] ?? 'alternate') === 'alternate';

const fromRss = (item: Record<string, unknown>): IDataObject => ({
	id: textOf(item.guid),
	title: textOf(item.title),
	link: textOf(item.link),
	author: textOf(item['dc:creator'] ?? item.author),
	date: isoOfPublished(textOf(item.pubDate)),
	tags: list(item.category).map(textOf),
	content: textOf(item['content:encoded'] ?? item.description),
});

const list = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : value === undefined ? [] : [value];

const several = (value: unknown): Array<Record<string, unknown>> => list(value).filter(isRecord);

const textOf = (value: unknown): string => String((isRecord(value) ? value['#text'] : value) ?? '');

/** A date without a zone is UTC, whatever the zone of this machine. */
const isoOfPublished = (written: string): string | null => {
	const date = new Date(/(?:[A-Z]|[+-]\d\d:?\d\d)\s*$/i.test(written) ? written : `${written}Z`);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
};
