import { FeedFailure, parseFeed, storyHash } from '../../sandbox/feeds/index.ts';

const url = 'https://weekly.example/feeds/all.xml';

function parse(document: string) {
	return parseFeed(Buffer.from(document), undefined, url);
}

function rss(items: string, channel = '', attributes = '') {
	return parse(
		`<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ${attributes}><channel><title>Weekly</title><link>https://weekly.example/</link><description>News</description>${channel}${items}</channel></rss>`,
	);
}

function firstStory(items: string) {
	const [story] = rss(items).stories;
	if (!story) throw new Error('The feed has no story.');
	return story;
}

describe('RSS 2.0', () => {
	test('reads all members of a feed', () => {
		const feed = rss(
			`<item><title>Ten small tools</title><link>https://weekly.example/ten</link><guid isPermaLink="false">tag:ten</guid>
			<pubDate>Tue, 01 Sep 2026 12:30:00 GMT</pubDate><dc:creator>Ada Example</dc:creator><dc:creator>Bo Sample</dc:creator>
			<category>tools</category><category domain="x">cli</category><category>tools</category>
			<description>Short</description><content:encoded><![CDATA[<p>Long <img src="/a.png"></p>]]></content:encoded></item>`,
			'<image><url>/logo.png</url></image>',
		);
		expect(feed).toEqual({
			title: 'Weekly',
			link: 'https://weekly.example/',
			description: 'News',
			iconUrl: 'https://weekly.example/logo.png',
			format: 'rss2',
			stories: [
				{
					guid: 'tag:ten',
					title: 'Ten small tools',
					link: 'https://weekly.example/ten',
					authors: 'Ada Example, Bo Sample',
					publishedAt: Date.UTC(2026, 8, 1, 12, 30),
					changedAt: null,
					content: '<p>Long <img src="https://weekly.example/a.png" /></p>',
					tags: ['tools', 'cli'],
					imageUrls: ['https://weekly.example/a.png'],
				},
			],
		});
	});

	test('reads Dublin Core dates: issued as publication, date and modified as changes', () => {
		const at = (day: number) => Date.UTC(2026, 8, day, 10);
		const on = (day: number) => `2026-09-0${day}T10:00:00Z`;
		const dated = (dates: string) => {
			const { stories } = rss(`<item>${dates}</item>`, '', 'xmlns:dcterms="http://purl.org/dc/terms/"');
			return [stories[0]?.publishedAt, stories[0]?.changedAt];
		};
		const issued = `<dcterms:issued>${on(1)}</dcterms:issued>`;
		const modified = `<dcterms:modified>${on(2)}</dcterms:modified>`;
		expect(dated(issued)).toEqual([at(1), null]);
		expect(dated(modified)).toEqual([at(2), at(2)]);
		expect(dated(issued + modified)).toEqual([at(1), at(2)]);
		expect(dated(`${issued}<dc:date>${on(3)}</dc:date>`)).toEqual([at(1), at(3)]);
	});

	test('uses the longer of two descriptions', () => {
		expect(firstStory('<item><dc:description>Only this</dc:description></item>').content).toBe('Only this');
		const both = '<description>Short</description><dc:description>Longer text</dc:description>';
		expect(firstStory(`<item>${both}</item>`).content).toBe('Longer text');
	});

	test('reads prefixed elements in the RSS namespace; the root must have no prefix', () => {
		const item =
			'<r:item><r:title>One</r:title><r:guid>1</r:guid><r:description>Text</r:description></r:item>';
		const channel = `<r:channel><r:title>Weekly</r:title>${item}</r:channel>`;
		const namespace = 'xmlns:r="http://backend.userland.com/rss2"';
		expect(parse(`<rss version="2.0" ${namespace}>${channel}</rss>`)).toMatchObject({
			title: 'Weekly',
			stories: [{ guid: '1', title: 'One', content: 'Text' }],
		});
		expect(() => parse(`<r:rss version="2.0" ${namespace}>${channel}</r:rss>`)).toThrow(FeedFailure);
	});

	test('adds attachments to the content: players, pictures, links', () => {
		const { content, imageUrls } = firstStory(
			`<item><description>Notes</description><enclosure url="/one.mp3" type="audio/mpeg"/>
			<enclosure url="/pic.jpg" type="image/jpeg"/><enclosure url="/set.torrent" type="application/x-bittorrent"/>
			<enclosure url="/unknown.bin"/><enclosure url="/ship.obj" type="model/obj"/>
			<media:group><media:content url="/film.mp4" type="video/mp4"/><media:content url="/still" medium="image"/></media:group></item>`,
		);
		const at = 'https://weekly.example';
		const link = (file: string) => `<a href="${at}/${file}">${at}/${file}</a>`;
		expect(content).toBe(
			[
				'Notes',
				`<p><audio controls><source src="${at}/one.mp3" type="audio/mpeg" /></audio><br />${link('one.mp3')}</p>`,
				`<p><img src="${at}/pic.jpg" /></p>`,
				`<p>${link('ship.obj')}</p>`,
				`<p><video controls><source src="${at}/film.mp4" type="video/mp4" /></video><br />${link('film.mp4')}</p>`,
				`<p><img src="${at}/still" /></p>`,
			].join(''),
		);
		expect(imageUrls).toEqual([`${at}/pic.jpg`, `${at}/still`]);
	});

	test('does not repeat attachments that the content contains', () => {
		const player = '<a href="https://weekly.example/one.mp3">Listen</a>';
		const { content } = firstStory(
			`<item><description><![CDATA[${player}]]></description><enclosure url="/one.mp3" type="audio/mpeg"/></item>`,
		);
		expect(content).toBe(player);
	});

	test('reads keywords and categories of podcasts and media as tags', () => {
		const { tags } = firstStory(
			`<item><category>News</category><itunes:keywords>harbour, tides</itunes:keywords><media:keywords>ships</media:keywords>
			<media:category label="Sea &amp; shore">sea</media:category><media:category>boats</media:category></item>`,
		);
		expect(tags).toEqual(['News', 'harbour', 'tides', 'Sea & shore', 'boats', 'ships']);
	});

	test('ignores a guid that all stories share', () => {
		const item = (link: string, day: number) =>
			`<item><guid>same</guid><link>${link}</link><pubDate>0${day} Sep 2026 12:00:00 GMT</pubDate></item>`;
		const guids = (items: string) => rss(items).stories.map(({ guid }) => guid);
		expect(guids(item('/a', 1) + item('/b', 2))).toEqual([
			'https://weekly.example/a',
			'https://weekly.example/b',
		]);
		expect(new Set(guids(item('/a', 1) + item('/a', 2))).size).toBe(2);
		expect(guids(item('/a', 1))).toEqual(['same']);
	});

	test('uses the description as content if there is no longer text', () => {
		expect(firstStory('<item><description>&lt;b&gt;Only&lt;/b&gt; this</description></item>').content).toBe(
			'<b>Only</b> this',
		);
	});

	test('removes tags and entities from titles, even doubly escaped ones', () => {
		expect(
			firstStory('<item><title>AT&amp;amp;T &lt;b&gt;buys&lt;/b&gt;\n a &amp;lt; b</title></item>').title,
		).toBe('AT&T buys a < b');
	});

	test('resolves relative URLs against the story, and the story’s URL against the site', () => {
		const story = firstStory(
			'<item><link>/2026/ten</link><description>&lt;a href="more"&gt;m&lt;/a&gt;&lt;img src="//cdn.example/i.png"&gt;</description></item>',
		);
		expect(story.link).toBe('https://weekly.example/2026/ten');
		expect(story.content).toBe(
			'<a href="https://weekly.example/2026/more">m</a><img src="https://cdn.example/i.png" />',
		);
	});

	test('reads the name of an RSS author, or the email address', () => {
		expect(firstStory('<item><author>ada@weekly.example (Ada Example)</author></item>').authors).toBe(
			'Ada Example',
		);
		expect(firstStory('<item><author>desk@weekly.example</author></item>').authors).toBe(
			'desk@weekly.example',
		);
		expect(firstStory('<item><title>x</title></item>').authors).toBe('');
	});

	test('reads images of enclosures and media elements, not sounds', () => {
		const story = firstStory(
			`<item><enclosure url="https://weekly.example/e.jpg" type="image/jpeg" length="1"/>
			<enclosure url="https://weekly.example/e.mp3" type="audio/mpeg" length="1"/>
			<media:group><media:content url="https://weekly.example/g.png" medium="image"/><media:content url="https://weekly.example/v.mp4" medium="video"/></media:group>
			<media:thumbnail url="/t.webp"/></item>`,
		);
		expect(story.imageUrls).toEqual([
			'https://weekly.example/e.jpg',
			'https://weekly.example/g.png',
			'https://weekly.example/t.webp',
		]);
	});

	test('reads dc:date if pubDate is invalid, and null if both are', () => {
		expect(
			firstStory('<item><pubDate>yesterday</pubDate><dc:date>2026-09-01T00:00:00Z</dc:date></item>')
				.publishedAt,
		).toBe(Date.UTC(2026, 8, 1));
		expect(firstStory('<item><pubDate>soon</pubDate></item>').publishedAt).toBeNull();
	});
});

describe('identity', () => {
	test('is the guid, or the link', () => {
		expect(firstStory('<item><guid>42</guid><link>https://a.example/</link></item>').guid).toBe('42');
		expect(firstStory('<item><link>https://a.example/x</link></item>').guid).toBe('https://a.example/x');
	});

	test('uses a permalink guid as the link of a story without a link', () => {
		expect(firstStory('<item><guid>https://a.example/p</guid></item>').link).toBe('https://a.example/p');
		expect(firstStory('<item><guid isPermaLink="false">https://a.example/p</guid></item>').link).toBe('');
		expect(firstStory('<item><guid>p-17</guid></item>').link).toBe('');
	});

	test('is a stable hash of title and date without guid and link', () => {
		const item = '<item><title>One</title><pubDate>Tue, 01 Sep 2026 12:30:00 GMT</pubDate></item>';
		const { guid } = firstStory(item);
		expect(guid).toMatch(/^sha1:[0-9a-f]{40}$/);
		expect(firstStory(item).guid).toBe(guid);
		expect(firstStory(item.replace('One', 'Two')).guid).not.toBe(guid);
		expect(firstStory(item.replace('12:30', '12:31')).guid).not.toBe(guid);
	});

	test('keeps the first of stories with the same guid', () => {
		const { stories } = rss(
			'<item><guid>1</guid><title>First</title></item><item><guid>1</guid><title>Again</title></item><item><guid>2</guid></item>',
		);
		expect(stories.map(({ guid, title }) => [guid, title])).toEqual([
			['1', 'First'],
			['2', ''],
		]);
	});

	test('determines the story hash', () => {
		// The SHA-1 of "abc" begins with a9993e.
		expect(storyHash(42, 'abc')).toBe('42:a9993e');
	});
});

test('RSS 1.0', () => {
	const feed = parse(`<?xml version="1.0"?>
		<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
		<channel rdf:about="https://a.example/rdf"><title>Old &amp; good</title><link>https://a.example/</link><description>d</description></channel>
		<item rdf:about="https://a.example/1"><title>One</title><link>https://a.example/1?from=feed</link><dc:creator>Ada</dc:creator><dc:date>2026-09-01T14:30+02:00</dc:date><dc:subject>cli</dc:subject><description>Text</description></item>
		</rdf:RDF>`);
	expect(feed).toMatchObject({ title: 'Old & good', link: 'https://a.example/', format: 'rss1' });
	expect(feed.stories).toEqual([
		{
			guid: 'https://a.example/1',
			title: 'One',
			link: 'https://a.example/1?from=feed',
			authors: 'Ada',
			publishedAt: Date.UTC(2026, 8, 1, 12, 30),
			changedAt: Date.UTC(2026, 8, 1, 12, 30),
			content: 'Text',
			tags: ['cli'],
			imageUrls: [],
		},
	]);
});

describe('Atom', () => {
	const atom = (entries: string, feed = '', attributes = '') =>
		parse(
			`<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title type="html">A &amp;amp; B</title><id>f</id><updated>2026-09-01T00:00:00Z</updated>${feed}${entries}</feed>`,
		);
	const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

	test('decodes Base64 that the mode of Atom 0.3 declares', () => {
		const [story] = parse(
			`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry><id>1</id>
			<title mode="base64">${base64('A & B')}</title>
			<content type="text/html" mode="base64">${base64('<p>Gr\xc3\xbc\xc3\x9fe</p>')}</content></entry></feed>`,
		).stories;
		expect(story).toMatchObject({ title: 'A & B', content: '<p>Grüße</p>' });
	});

	test('decodes Base64 by media type, and omits content that is not text', () => {
		const entry = (type: string, text: string) =>
			`<entry><id>${type}</id><title>x</title><content type="${type}">${text}</content></entry>`;
		const contents = (entries: string) => atom(entries).stories.map(({ content }) => content);
		expect(contents(entry('application/octet-stream', base64('<p>Hello</p>')))).toEqual(['<p>Hello</p>']);
		expect(contents(entry('image/png', base64('\x89PNG\r\n')))).toEqual(['']);
		expect(contents(entry('text/plain', 'SGVsbG8='))).toEqual(['SGVsbG8=']);
	});

	test('reads all members of a feed', () => {
		const feed = atom(
			`<entry><id>urn:1</id><title>Use &lt;b&gt;</title><link rel="enclosure" type="image/png" href="/e.png"/><link rel="alternate" href="/one"/>
			<published>2026-08-30T10:00:00Z</published><updated>2026-09-01T00:00:00Z</updated><category term="cli" label="Command line"/><category term="x"/>
			<author><name>Ada</name></author><author><name>Bo</name></author><summary>s</summary><content type="html">&lt;p&gt;Hi&lt;/p&gt;</content></entry>`,
			'<subtitle>sub</subtitle><link rel="self" href="https://a.example/atom"/><link href="https://a.example/"/><icon>/i.ico</icon>',
		);
		expect(feed).toEqual({
			title: 'A & B',
			link: 'https://a.example/',
			description: 'sub',
			iconUrl: 'https://weekly.example/i.ico',
			format: 'atom',
			stories: [
				{
					guid: 'urn:1',
					title: 'Use <b>',
					link: 'https://weekly.example/one',
					authors: 'Ada, Bo',
					publishedAt: Date.UTC(2026, 7, 30, 10),
					changedAt: Date.UTC(2026, 8, 1),
					content: '<p>Hi</p><p><img src="https://weekly.example/e.png" /></p>',
					tags: ['Command line', 'x'],
					imageUrls: ['https://weekly.example/e.png'],
				},
			],
		});
	});

	const contents: [string, string, string][] = [
		['text', '<content type="text">a &lt;b&gt; c\nd</content>', 'a &lt;b&gt; c<br />d'],
		['html', '<content type="html">&lt;p&gt;a&amp;nbsp;b&lt;/p&gt;</content>', '<p>a\u00a0b</p>'],
		[
			'xhtml',
			'<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &amp; <em>b</em></p></div></content>',
			'<p>a &amp; <em>b</em></p>',
		],
		[
			'xhtml with a prefix',
			'<content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:p>x</h:p></h:div></content>',
			'<p>x</p>',
		],
		['HTML without a type', '<content>&lt;p&gt;a&lt;/p&gt;</content>', '<p>a</p>'],
		['text without a type', '<content>1 &lt; 2</content>', '1 &lt; 2'],
		['the summary', '<summary type="html">&lt;i&gt;s&lt;/i&gt;</summary>', '<i>s</i>'],
	];
	test.each(contents)('reads content: %s', (_, content, expected) => {
		expect(atom(`<entry><id>1</id><title>t</title>${content}</entry>`).stories[0]?.content).toBe(expected);
	});

	test('uses the feed’s authors for entries without authors', () => {
		expect(
			atom('<entry><id>1</id></entry>', '<author><name>The desk</name></author>').stories[0]?.authors,
		).toBe('The desk');
	});

	test('resolves nested xml:base', () => {
		const [story] = atom(
			'<entry xml:base="2026/"><id>1</id><link href="one"/><content type="html" xml:base="img/">&lt;img src="a.png"&gt;</content></entry>',
			'',
			'xml:base="https://b.example/blog/"',
		).stories;
		expect(story?.link).toBe('https://b.example/blog/2026/one');
		expect(story?.imageUrls).toEqual(['https://b.example/blog/2026/img/a.png']);
	});
});

test('JSON Feed', () => {
	const feed = parse(
		JSON.stringify({
			version: 'https://jsonfeed.org/version/1.1',
			title: 'J & S',
			home_page_url: 'https://j.example/',
			favicon: '/f.ico',
			authors: [{ name: 'The desk' }],
			items: [
				{
					id: 7,
					url: 'https://j.example/7',
					title: 'Use <b>',
					content_html: '<p>x</p>',
					date_published: '2026-09-01T12:30:00Z',
					tags: ['cli'],
					image: '/i.png',
					authors: [{ name: 'Ada' }],
				},
				{ id: 'https://j.example/8', content_text: 'a < b\nc' },
			],
		}),
	);
	expect(feed).toMatchObject({ title: 'J & S', format: 'json', iconUrl: 'https://weekly.example/f.ico' });
	expect(feed.stories[0]).toEqual({
		guid: '7',
		title: 'Use <b>',
		link: 'https://j.example/7',
		authors: 'Ada',
		publishedAt: Date.UTC(2026, 8, 1, 12, 30),
		changedAt: null,
		content: '<p>x</p>',
		tags: ['cli'],
		imageUrls: ['https://weekly.example/i.png'],
	});
	expect(feed.stories[1]).toMatchObject({
		link: 'https://j.example/8',
		authors: 'The desk',
		content: 'a &lt; b<br />c',
		publishedAt: null,
		changedAt: null,
	});
});

describe('unusual documents', () => {
	const item = '<item><title>One</title><guid>1</guid></item>';
	const channel = `<rss version="2.0"><channel><title>T</title>${item}</channel></rss>`;
	const titles = (document: string) => parse(document).stories.map(({ title }) => title);

	test.each([
		['blank lines first', `\n\n ${channel}`],
		['output of the server software first', `<b>Warning</b>: mysql\n<br /><?xml version="1.0"?>${channel}`],
		['comments and instructions first', `<?xml version="1.0"?><?xsl x?><!-- <feed> -->${channel}`],
		[
			'a document type',
			`<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://n.example/rss.dtd">${channel}`,
		],
		['control characters', channel.replace('One', 'O\u0008n\u0000e')],
		['bare ampersands', channel.replace('<guid>', '<link>https://a.example/?a=1&b=2</link><guid>')],
		['broken off in the second story', channel.replace('</channel></rss>', '<item><title>Tw')],
		['no closing tags', channel.replace('</channel></rss>', '')],
	])('%s', (_, document) => {
		expect(titles(document)).toEqual(['One']);
	});

	test('reads an Atom entry that quotes RSS as Atom', () => {
		const feed = parse(
			'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>1</id><title>x</title><content type="html"><![CDATA[<rss version="2.0"><channel>]]></content></entry></feed>',
		);
		expect(feed.format).toBe('atom');
	});

	test('reads an empty feed', () => {
		for (const empty of [
			'<rss version="2.0"><channel></channel></rss>',
			'<feed xmlns="http://www.w3.org/2005/Atom"/>',
		])
			expect(parse(empty)).toMatchObject({ title: '', link: '', stories: [] });
	});

	test('reads a document type in a story as text', () => {
		expect(
			titles(
				'<rss version="2.0"><channel><item><title><![CDATA[<!DOCTYPE svg>]]> One</title></item></channel></rss>',
			),
		).toEqual(['<!DOCTYPE svg> One']);
	});

	test('entities of the document are neither expanded nor fetched', () => {
		const feed = parse(
			'<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss version="2.0"><channel><title>&file;&b;</title><item><title>t</title></item></channel></rss>',
		);
		expect(feed.title).toBe('&file;&b;');
	});

	test.each([
		['a web page', '<!doctype html><html><body><p>Hello</p></body></html>'],
		['a web page with a feed inside', `<html><body><pre>${channel}</pre></body></html>`],
		['nothing', ''],
		['text', 'Not found'],
		['other XML', '<?xml version="1.0"?><opml version="2.0"><body/></opml>'],
		['other JSON', '{"error": "no"}'],
		['broken JSON', '{"version": "https://jsonfeed.org/version/1", "items": ['],
		['XML that cannot be read', '<rss version="2.0"><channel><title>T'],
	])('rejects %s', (_, document) => {
		let failure: unknown;
		try {
			parse(document);
		} catch (error) {
			failure = error;
		}
		expect(failure).toBeInstanceOf(FeedFailure);
		expect(failure).toMatchObject({ kind: 'not-a-feed', statusCode: null });
	});
});
