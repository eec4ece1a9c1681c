import { OpmlFailure, parseOpml, renderOpml, type OpmlNode } from '../../sandbox/feeds/index.ts';

const feed = (title: string, xmlUrl = `https://${title}.example/rss`): OpmlNode => ({
	kind: 'feed',
	title,
	xmlUrl,
	htmlUrl: `https://${title}.example/`,
});

const folder = (title: string, ...children: OpmlNode[]): OpmlNode => ({ kind: 'folder', title, children });

function nodes(outlines: string): OpmlNode[] {
	return parseOpml(
		`<?xml version="1.0"?><opml version="1.0"><head><title>x</title></head><body>${outlines}</body></opml>`,
	).nodes;
}

describe('writing and parsing', () => {
	test('keeps nested and empty folders, order and special characters', () => {
		const tree = [
			feed('top'),
			folder(
				'Tech & <Tools> "quoted"',
				feed('a', 'https://a.example/?x=1&y=2'),
				folder('Deep', feed('b'), folder('Deeper', feed('c'))),
			),
			folder('Leer – Ünïcödé 日本'),
			feed('last'),
		];
		const xml = renderOpml('Feeds of <reader>', 'reader', tree);
		expect(parseOpml(xml)).toEqual({ title: 'Feeds of <reader>', nodes: tree });
		expect(xml).toContain('<ownerName>reader</ownerName>');
	});

	test('keeps an empty list', () => {
		expect(parseOpml(renderOpml('Feeds', 'reader', []))).toEqual({ title: 'Feeds', nodes: [] });
	});

	test('keeps hundreds of feeds in dozens of folders', () => {
		const tree = Array.from({ length: 40 }, (_, i) =>
			folder(`Folder ${i}`, ...Array.from({ length: 25 }, (__, j) => feed(`feed-${i}-${j}`))),
		);
		expect(parseOpml(renderOpml('Many', 'reader', tree)).nodes).toEqual(tree);
	});
});

describe('unusual files', () => {
	test('reads feeds without type, and with only text or title', () => {
		expect(
			nodes(
				'<outline text="Text" xmlUrl="https://a.example/"/><outline title="Title" xmlUrl="https://b.example/"/><outline xmlUrl="https://c.example/"/><outline text="Mine" title="Theirs" xmlUrl=" https://d.example/ "/>',
			).map((node) => [node.kind, node.title, node.kind === 'feed' && node.xmlUrl]),
		).toEqual([
			['feed', 'Text', 'https://a.example/'],
			['feed', 'Title', 'https://b.example/'],
			['feed', 'https://c.example/', 'https://c.example/'],
			['feed', 'Mine', 'https://d.example/'],
		]);
	});

	test('reads names in any case, entities, bare ampersands and a byte order mark', () => {
		expect(
			parseOpml(
				'\ufeff<?xml version="1.0"?>\n<OPML><Body><Outline Text="Caf&eacute; &#8211; &amp;" TYPE="rss" xmlurl="https://a.example/?a=1&b=2"/></Body></OPML>',
			).nodes,
		).toEqual([{ kind: 'feed', title: 'Café – &', xmlUrl: 'https://a.example/?a=1&b=2', htmlUrl: '' }]);
	});

	test('reads a feed URL in the attribute url', () => {
		expect(nodes('<outline text="A" type="rss" url="https://a.example/rss"/>')).toMatchObject([
			{ kind: 'feed', xmlUrl: 'https://a.example/rss' },
		]);
	});

	test('omits bookmarks, and moves the contents of a nameless outline up', () => {
		expect(
			nodes(
				'<outline text="Page" type="link" url="https://p.example/"/><outline><outline text="In" xmlUrl="https://a.example/"/></outline><outline text="Empty"/>',
			),
		).toEqual([{ kind: 'feed', title: 'In', xmlUrl: 'https://a.example/', htmlUrl: '' }, folder('Empty')]);
	});

	test('neither expands nor fetches entities of the document', () => {
		const bomb =
			'<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
		expect(
			parseOpml(`${bomb}<opml><body><outline text="&b;&f;" xmlUrl="https://a.example/"/></body></opml>`)
				.nodes,
		).toMatchObject([{ title: '&b;&f;' }]);
	});

	test.each([
		['nothing', ''],
		['text', 'hello'],
		['a feed', '<rss version="2.0"><channel><title>x</title></channel></rss>'],
		['a page', '<html><body>opml</body></html>'],
		['half a tag', '<opml'],
		['thousands of folders inside each other', `<opml><body>${'<outline text="f">'.repeat(5000)}`],
	])('rejects %s', (_, xml) => {
		expect(() => parseOpml(xml)).toThrow(OpmlFailure);
	});
});
