import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith';
import { XMLBuilder } from 'fast-xml-parser';
import iconv from 'iconv-lite';
import { escapeHtml } from '../../shared/html.ts';
import { sha1 } from '../hash.ts';
import type { FeedFormat } from '../feed-types.ts';
import type { Publication } from './publication.ts';
import type { BuiltinStory } from './builtin-types.ts';

/** The data of a feed document, which all four formats share. */
interface Issue {
	publication: Publication;
	/** URL of the home page, with trailing slash. */
	homeUrl: string;
	documentUrl: string;
	stories: BuiltinStory[];
	updatedAt: number;
}

interface DocumentKind {
	/** Last segment of the document's URL. */
	file: string;
	contentType: string;
	write(issue: Issue): string;
}

export const documentKinds: Record<FeedFormat, DocumentKind> = {
	rss2: { file: 'rss.xml', contentType: 'application/rss+xml', write: writeRss },
	rss1: { file: 'index.rdf', contentType: 'application/rdf+xml', write: writeRdf },
	atom: { file: 'atom.xml', contentType: 'application/atom+xml', write: writeAtom },
	json: { file: 'feed.json', contentType: 'application/feed+json', write: writeJson },
};

interface FeedDocument {
	body: Buffer;
	contentType: string;
	etag: string;
}

/** The feed document in the publication's format and encoding. */
export function feedDocument(issue: Issue): FeedDocument {
	const { format, encoding } = issue.publication;
	const { contentType, write } = documentKinds[format];
	const text = write(issue);
	const body = encoding ? encodeXml(text, encoding) : Buffer.from(text);
	return {
		body,
		// Without a charset here, clients use the declaration in the document.
		contentType: encoding ? contentType : `${contentType}; charset=utf-8`,
		etag: `"${sha1(body.toString('latin1'))}"`,
	};
}

function contentOf({ publication }: Issue, story: BuiltinStory): string | undefined {
	return publication.carries === 'everything' ? story.content : undefined;
}

function pictureUrl({ homeUrl }: Issue, story: BuiltinStory): string | undefined {
	return story.picture ? homeUrl + story.picture : undefined;
}

function writeRss(issue: Issue): string {
	const { publication, homeUrl, stories, updatedAt } = issue;
	return generateRssFeed({
		title: publication.title,
		link: homeUrl,
		description: publication.tagline,
		lastBuildDate: new Date(updatedAt),
		image: { url: `${homeUrl}favicon.png`, title: publication.title, link: homeUrl },
		items: stories.map((story) => {
			const encoded = contentOf(issue, story);
			const url = pictureUrl(issue, story);
			return {
				title: story.title,
				link: homeUrl + story.path,
				description: story.excerpt,
				guid: { value: story.guid, isPermaLink: false },
				pubDate: new Date(story.publishedAt),
				categories: story.tags.map((name) => ({ name })),
				dc: { creators: story.authors },
				...(encoded && { content: { encoded } }),
				...(url && { media: { contents: [{ url, type: 'image/png', medium: 'image' }] } }),
			};
		}),
	});
}

function writeAtom(issue: Issue): string {
	const { publication, homeUrl, documentUrl, stories, updatedAt } = issue;
	return generateAtomFeed({
		id: `tag:${publication.slug}.example,2020:feed`,
		title: { value: publication.title, type: 'text' },
		subtitle: { value: publication.tagline, type: 'text' },
		icon: `${homeUrl}favicon.png`,
		updated: new Date(updatedAt),
		links: [
			{ href: homeUrl, rel: 'alternate', type: 'text/html' },
			{ href: documentUrl, rel: 'self', type: 'application/atom+xml' },
		],
		entries: stories.map((story) => {
			const href = pictureUrl(issue, story);
			return {
				id: story.guid,
				title: { value: story.title, type: 'text' },
				links: [
					{ href: homeUrl + story.path, rel: 'alternate', type: 'text/html' },
					...(href ? [{ href, rel: 'enclosure', type: 'image/png' }] : []),
				],
				authors: story.authors.map((name) => ({ name })),
				categories: story.tags.map((term) => ({ term })),
				published: new Date(story.publishedAt),
				updated: new Date(story.publishedAt),
				summary: { value: story.excerpt, type: 'text' },
				content: { value: contentOf(issue, story), type: 'html' },
			};
		}),
	});
}

function writeJson(issue: Issue): string {
	const { publication, homeUrl, documentUrl, stories } = issue;
	const feed = generateJsonFeed({
		title: publication.title,
		description: publication.tagline,
		home_page_url: homeUrl,
		feed_url: documentUrl,
		favicon: `${homeUrl}favicon.png`,
		items: stories.map((story) => ({
			id: story.guid,
			url: homeUrl + story.path,
			title: story.title,
			summary: story.excerpt,
			content_html: contentOf(issue, story),
			image: pictureUrl(issue, story),
			date_published: new Date(story.publishedAt),
			authors: story.authors.map((name) => ({ name })),
			tags: story.tags,
		})),
	});
	return JSON.stringify(feed, null, 2);
}

/** Writes RSS 1.0, which the feed library can only read. */
function writeRdf(issue: Issue): string {
	const { publication, homeUrl, documentUrl, stories } = issue;
	const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });
	return builder.build({
		'?xml': { '@version': '1.0', '@encoding': 'utf-8' },
		'rdf:RDF': {
			'@xmlns': 'http://purl.org/rss/1.0/',
			'@xmlns:rdf': 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
			'@xmlns:dc': 'http://purl.org/dc/elements/1.1/',
			'@xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
			channel: {
				'@rdf:about': documentUrl,
				title: publication.title,
				link: homeUrl,
				description: publication.tagline,
				items: { 'rdf:Seq': { 'rdf:li': stories.map(({ guid }) => ({ '@rdf:resource': guid })) } },
			},
			item: stories.map((story) => ({
				'@rdf:about': story.guid,
				title: story.title,
				link: homeUrl + story.path,
				description: story.excerpt,
				'dc:creator': story.authors,
				'dc:date': new Date(story.publishedAt).toISOString(),
				'dc:subject': story.tags,
				'content:encoded': contentOf(issue, story),
			})),
		},
	});
}

/** Encodes XML in a small character set. Other characters become character references, so the XML must not contain CDATA. */
function encodeXml(xml: string, encoding: string): Buffer {
	const text = xml
		.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, content: string) => escapeHtml(content))
		.replace('encoding="utf-8"', `encoding="${encoding}"`)
		.replace(/[^\0-\x7f]/gu, (character) => {
			const fits = iconv.decode(iconv.encode(character, encoding), encoding) === character;
			return fits ? character : `&#${character.codePointAt(0)};`;
		});
	return iconv.encode(text, encoding);
}
