import { textOf } from '../../nodes/runtime/transport/encoding';
import { htmlToText } from '../../vendor/html';
import { feedsOfOpml, opmlOf } from '../../nodes/NewsReader/model/subscription-list';
import { feedEntries } from '../../nodes/NewsReader/model/syndication';

describe('the charset of a response', () => {
	/** "Ж" in windows-1251, "é" in ISO-8859-1, "日" in Shift_JIS. */
	it.each([
		[[0xc6], 'text/html; charset=windows-1251', 'Ж'],
		[[0xe9], 'application/json;charset="ISO-8859-1"', 'é'],
		[[0x93, 0xfa], 'text/html; charset=Shift_JIS', '日'],
		[[0xc3, 0xa9], 'text/html', 'é'],
		[[0xc3, 0xa9], 'text/html; charset=unheard-of', 'é'],
		[[0xef, 0xbb, 0xbf, 0x7b], undefined, '{'],
		[[0xff, 0xfe, 0x41, 0x00], undefined, 'A'],
	])('decodes %j as %s', (bytes, contentType, text) => {
		expect(textOf(Buffer.from(bytes), contentType)).toBe(text);
	});

	it.each([
		'<html><head><meta charset="windows-1251"></head>',
		'<META http-equiv="Content-Type" content="text/html; charset=windows-1251">',
		'<?xml version="1.0" encoding="windows-1251"?>',
	])('decodes a document as it declares: %s', (start) => {
		const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0xc6])]);
		expect(textOf(bytes, 'text/html')).toBe(`${start}Ж`);
	});
});

describe('HTML as plain text', () => {
	const LEFT_OUT = '[Left out: too long or too deeply nested to convert]';

	it('keeps paragraphs and omits links and images', () => {
		const html =
			'<h1>News</h1><p>One <a href="https://a.example">link</a><br>two</p><img src="x.png"><p>Three</p>';
		expect(htmlToText(html)).toBe('News\n\nOne link\ntwo\n\nThree');
	});

	it.each([
		[
			'<p>Results</p><table><tr><th>Team</th><th>Points</th></tr><tr><td>A</td><td>3</td></tr></table>',
			'Results\n\nTeam Points\nA 3',
		],
		['<dl><dt>Term</dt><dd>Meaning</dd></dl>', 'Term\nMeaning'],
		['<figure><img src="x.png"><figcaption>Caption</figcaption></figure>Text', 'Caption\nText'],
		['<p>One</p><figure><img src="x.png"></figure><p>Two</p>', 'One\n\nTwo'],
		['<details><summary>More</summary>Text</details>', 'More\nText'],
	])('puts a blank or a line break between the texts of %s', (html, text) => {
		expect(htmlToText(html)).toBe(text);
	});

	it.each(['div', 'b', 'table><tr><td', 'blockquote', 'ul><li', 'a href="x"'])(
		'stops at too many nested tags: %s',
		(tag) => {
			for (const depth of [3_000, 200_000]) {
				const text = htmlToText(`<p>before</p>${`<${tag}>`.repeat(depth)}deep`);
				expect(text).toMatch(/^before/);
				expect(text).toContain(LEFT_OUT);
			}
		},
	);

	it('converts long lists without closing tags, and many line breaks', () => {
		const text = htmlToText(`${'<br>'.repeat(10_000)}<ul>${'<li>member'.repeat(4_000)}</ul>after`);
		expect(text.match(/member/g)).toHaveLength(4_000);
		expect(text).toMatch(/after$/);
	});

	it('truncates a long text and marks the end', () => {
		const text = htmlToText(`<p>${'word '.repeat(500_000)}</p><p>end</p>`);
		expect(text).toMatch(/^word.*\s+\[Left out: too long or too deeply nested to convert\]$/);
		expect(htmlToText('<hr>'.repeat(60_000)).length).toBeLessThan(2_000_100);
	});
});

describe('XML', () => {
	const opml = (title: string, prolog = ''): string =>
		`<?xml version="1.0"?>${prolog}<opml version="2.0"><body><outline text="${title}" xmlUrl="https://a.example/"/></body></opml>`;

	it.each([
		['entity definitions', '<!DOCTYPE opml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'],
		['external entities', '<!DOCTYPE opml [<!ENTITY b SYSTEM "file:///etc/passwd">]>'],
	])('rejects a document with %s', (_, prolog) => {
		expect(() => feedsOfOpml(opml('&b;', prolog))).toThrow('it defines entities of its own');
	});

	it('leaves an undefined entity unchanged', () => {
		expect(feedsOfOpml(opml('&b; &amp; &#65;'))).toMatchObject([{ title: '&b; & A' }]);
	});

	it('leaves entities in a story’s text unchanged', () => {
		const story = '<p>Write <code><!ENTITY a "b"></code></p>';
		const rss = `<rss version="2.0"><channel><item><title>XML</title><description><![CDATA[${story}]]></description></item></channel></rss>`;
		expect(feedEntries(rss)).toMatchObject([{ title: 'XML', content: story }]);
	});

	it('parses a written list of feeds to the same list', () => {
		const feeds = [
			{ url: 'https://a.example/?a=1&b=2', title: '<b>"Q" & \'A\'</b>', folder: 'R & D / "Deep" <1>' },
			{ url: 'https://b.example/ü', title: '新聞 &amp; 🗞', folder: 'R & D' },
			{ url: 'https://c.example/', title: 'Top\n\t&#10;\r', folder: '' },
		];
		// XML has no control characters.
		const found = feedsOfOpml(opmlOf(feeds.map((feed) => ({ ...feed, title: `\u000b${feed.title}\uffff` }))));
		expect(found).toHaveLength(3);
		expect(found).toEqual(expect.arrayContaining(feeds.map((feed) => ({ ...feed, website: null }))));
	});

	it('lists each folder once, even beside a feed with the same name', () => {
		const feeds = [
			{ url: 'https://a.example/', title: 'News', folder: '' },
			{ url: 'https://b.example/', title: 'B', folder: 'News' },
			{ url: 'https://c.example/', title: 'C', folder: 'News' },
		];
		const xml = opmlOf(feeds);
		expect(xml.match(/title="News">/g)).toHaveLength(1);
		expect(feedsOfOpml(xml)).toEqual(feeds.map((feed) => ({ ...feed, website: null })));
	});

	it.each([
		['text="Tech" title=""', 'Tech'],
		['text="Tech" title="All about technology"', 'Tech'],
		['text="" title="Tech"', 'Tech'],
		['title="Tech"', 'Tech'],
		['TEXT="Tech" xmlUrl=""', 'Tech'],
		['', ''],
	])('names a folder with %s as the service does', (attributes, folder) => {
		const feed = '<outline Text="Own" title="" xmlURL="https://a.example/"/>';
		const xml = `<opml version="2.0"><body><outline ${attributes}>${feed}</outline></body></opml>`;
		expect(feedsOfOpml(xml)).toMatchObject([{ title: 'Own', folder }]);
	});

	it('rejects a document of 50,000 levels', () => {
		const nested = '<outline text="F">'.repeat(50_000) + '</outline>'.repeat(50_000);
		expect(() => feedsOfOpml(`<opml version="2.0"><body>${nested}</body></opml>`)).toThrow('nested tags');
	});

	it.each([
		['<dc:creator>Ada</dc:creator><author>ada@a.example</author>', { author: 'Ada' }],
		['<author>ada@a.example</author>', { author: 'ada@a.example' }],
		['<title>A</title>', { title: 'A', author: '', link: '', date: null, tags: [], content: '' }],
		[
			'<guid isPermaLink="false">7</guid><category>a</category><category>b</category>',
			{ id: '7', tags: ['a', 'b'] },
		],
		[
			'<category>a</category><content:encoded>all</content:encoded><description>part</description>',
			{ tags: ['a'], content: 'all' },
		],
		['<description>part</description>', { content: 'part' }],
		['<pubDate>Tue, 01 Sep 2026 12:30:00 +0200</pubDate>', { date: '2026-09-01T10:30:00.000Z' }],
		['<pubDate>2026-09-01T12:30:00</pubDate>', { date: '2026-09-01T12:30:00.000Z' }],
		['<pubDate>yesterday</pubDate>', { date: null }],
	])('reads the RSS item %s', (item, entry) => {
		expect(feedEntries(`<rss version="2.0"><channel><item>${item}</item></channel></rss>`)).toMatchObject([
			entry,
		]);
	});

	it.each([
		['<author><name>Ada</name></author><author><name>Bo</name></author>', { author: 'Ada, Bo' }],
		[
			'<link rel="self" href="https://a.example/self"/><link href="https://a.example/1"/>',
			{ link: 'https://a.example/1' },
		],
		['<link rel="self" href="https://a.example/self"/>', { link: '' }],
		['<category term="a"/><category label="b"/>', { tags: ['a', ''] }],
		[
			'<published>2026-09-01T12:30:00Z</published><updated>2027-01-01T00:00:00Z</updated>',
			{ date: '2026-09-01T12:30:00.000Z' },
		],
		['<updated>2027-01-01T00:00:00Z</updated>', { date: '2027-01-01T00:00:00.000Z' }],
		['<content type="html">all</content><summary>part</summary>', { content: 'all' }],
		['<summary>part</summary>', { content: 'part' }],
	])('reads the Atom entry %s', (entry, expected) => {
		expect(feedEntries(`<feed><entry>${entry}</entry></feed>`)).toMatchObject([expected]);
	});

	it.each(['<opml/>', '<rss version="2.0"/>', '<html/>'])('rejects %s as a feed', (xml) => {
		expect(() => feedEntries(xml)).toThrow('it is neither an Atom nor an RSS feed');
	});
});
