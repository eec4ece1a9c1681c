import {
	DetectError,
	generateOpml,
	MalformedError,
	ParseError,
	parseOpml as readOpml,
	type Opml,
} from 'feedsmith';

interface OpmlFeed {
	kind: 'feed';
	title: string;
	xmlUrl: string;
	htmlUrl: string;
}

interface OpmlFolder {
	kind: 'folder';
	title: string;
	children: OpmlNode[];
}

export type OpmlNode = OpmlFeed | OpmlFolder;

/** The text is not an OPML document. */
export class OpmlFailure extends Error {}

/** An outline with a URL is a feed, even without a type; an outline with only a name is a folder. */
function readNode(outline: Opml.Outline<string>): OpmlNode[] {
	const { text = '', title: ownTitle = '' } = outline;
	const xmlUrl = outline.xmlUrl?.trim();
	if (xmlUrl) {
		return [{ kind: 'feed', title: (ownTitle || text).trim(), xmlUrl, htmlUrl: outline.htmlUrl ?? '' }];
	}
	const title = (text || ownTitle).trim();
	const children = (outline.outlines ?? []).flatMap(readNode);
	return title ? [{ kind: 'folder', title, children }] : children;
}

/** Parses the folders and feeds of an OPML file, in order. @throws OpmlFailure if the text is not an OPML document */
export function parseOpml(xml: string): OpmlNode[] {
	try {
		return (readOpml(xml).body?.outlines ?? []).flatMap(readNode);
	} catch (error) {
		if (![DetectError, MalformedError, ParseError].some((kind) => error instanceof kind)) throw error;
		throw new OpmlFailure('The file is not an OPML document.', { cause: error });
	}
}

function writeNode(node: OpmlNode): Opml.Outline<Date> {
	const { title } = node;
	if (node.kind === 'folder') return { text: title, title, outlines: node.children.map(writeNode) };
	return { text: title, title, type: 'rss', xmlUrl: node.xmlUrl, htmlUrl: node.htmlUrl };
}

/** Writes folders and feeds as OPML 2.0, in order. */
export function renderOpml(title: string, ownerName: string, nodes: OpmlNode[]): string {
	// The library does not write a list without outlines.
	if (nodes.length === 0)
		return '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0"><head/><body/></opml>';
	return generateOpml({ head: { title, ownerName }, body: { outlines: nodes.map(writeNode) } });
}
