/** The feed parser: all formats, encodings, and documents that are no feed. */
import { FeedFailure } from '../../sandbox/feeds/failures.ts';
import { parseFeed } from '../../sandbox/feeds/parse.ts';

const url = 'https://weekly.example/feeds/all.xml';
const published = Date.UTC(2026, 8, 1, 12, 30);
const parse = (document: string | Buffer, contentType = '') =>
	parseFeed(Buffer.from(document), contentType, url);

const items = `<title>Ten &amp; more</title><link>https://weekly.example/ten</link>`;
const rss = (item: string, prolog = '<?xml version="1.0"?>') =>
	`${prolog}<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Weekly</title><link>https://weekly.example/</link><description>News</description><item>${item}</item></channel></rss>`;

test.each([
	[
		'rss2',
		rss(
			`${items}<guid isPermaLink="false">tag:ten</guid><pubDate>Tue, 01 Sep 2026 14:30:00 +0200</pubDate>
			<dc:creator>Ada</dc:creator><category>tools</category>
			<content:encoded><![CDATA[<p>Long <img src="/a.png" onerror="x()"></p>]]></content:encoded>`,
		),
	],
	[
		'rss1',
		`<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel rdf:about="x"><title>Weekly</title><link>https://weekly.example/</link><description>News</description></channel>
		<item rdf:about="tag:ten">${items}<dc:date>2026-09-01T12:30:00Z</dc:date><dc:creator>Ada</dc:creator><dc:subject>tools</dc:subject><content:encoded>&lt;p>Long &lt;img src="/a.png">&lt;/p></content:encoded></item></rdf:RDF>`,
	],
	[
		'atom',
		`<feed xmlns="http://www.w3.org/2005/Atom"><id>x</id><updated>2026-09-01T12:30:00Z</updated><title>Weekly</title><subtitle>News</subtitle><link href="https://weekly.example/"/>
		<entry><id>tag:ten</id><title>Ten &amp; more</title><link href="https://weekly.example/ten"/><published>2026-09-01T12:30:00Z</published><updated>2026-09-01T12:30:00Z</updated><author><name>Ada</name></author><category term="tools"/><content type="html">&lt;p>Long &lt;img src="/a.png">&lt;/p></content></entry></feed>`,
	],
	[
		'json',
		JSON.stringify({
			version: 'https://jsonfeed.org/version/1.1',
			title: 'Weekly',
			description: 'News',
			home_page_url: 'https://weekly.example/',
			items: [
				{
					id: 'tag:ten',
					url: 'https://weekly.example/ten',
					title: 'Ten & more',
					date_published: '2026-09-01T12:30:00Z',
					authors: [{ name: 'Ada' }],
					tags: ['tools'],
					content_html: '<p>Long <img src="/a.png"></p>',
				},
			],
		}),
	],
])('%s: reads all members', (_format, document) => {
	expect(parse(document)).toEqual({
		title: 'Weekly',
		link: 'https://weekly.example/',
		description: 'News',
		stories: [
			{
				guid: 'tag:ten',
				title: 'Ten & more',
				link: 'https://weekly.example/ten',
				authors: 'Ada',
				publishedAt: published,
				content: '<p>Long <img src="https://weekly.example/a.png" /></p>',
				tags: ['tools'],
				imageUrls: ['https://weekly.example/a.png'],
			},
		],
	});
});

test('reads attached pictures', () => {
	const [story] = parse(rss(`${items}<enclosure url="/one.png" type="image/png"/>`)).stories;
	expect(story?.imageUrls).toEqual(['https://weekly.example/one.png']);
});

test.each([
	['the XML prolog', '<?xml version="1.0" encoding="windows-1251"?>', undefined],
	['the Content-Type', '', 'text/xml; charset=windows-1251'],
])('reads the encoding in %s', (_, prolog, contentType) => {
	// The letters of the Cyrillic alphabet follow each other in this encoding.
	const document = Buffer.from(rss('<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>', prolog), 'latin1');
	expect(parse(document, contentType).stories[0]?.title).toBe('Привет');
});

test.each(['', 'plain text', '<html><body>no feed</body></html>', '{"title": 1}', '<rss'])(
	'rejects %j',
	(document) => {
		expect(() => parse(document)).toThrow(FeedFailure);
	},
);
