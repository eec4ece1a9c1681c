import { XMLBuilder } from 'fast-xml-parser';
import { DetectError, MalformedError, ParseError, parseOpml as readOpml, type Opml } from 'feedsmith';
import { OpmlFailure } from './failures.ts';
import { withoutDoctype } from './text.ts';
import type { OpmlNode, OpmlOutline } from './feed-types.ts';

type Outline = Opml.Outline<string>;

function readNodes(outlines: Outline[] | undefined): OpmlNode[] {
	return (outlines ?? []).flatMap(readNode);
}

/** An outline with a URL is a feed, even without a type; an outline with only a name is a folder. */
function readNode(outline: Outline): OpmlNode[] {
	const title = (outline.text ?? outline.title ?? '').trim();
	const isFeed = /^(?:rss|atom)$/i.test(outline.type ?? '');
	const xmlUrl = (outline.xmlUrl ?? (isFeed ? outline.url : undefined))?.trim();
	if (xmlUrl)
		return [{ kind: 'feed', title: title || xmlUrl, xmlUrl, htmlUrl: outline.htmlUrl?.trim() ?? '' }];
	const children = readNodes(outline.outlines);
	if (!title) return children;
	// Some files contain bookmarks and includes, which are not subscriptions.
	if (children.length === 0 && (outline.url || outline.htmlUrl)) return [];
	return [{ kind: 'folder', title, children }];
}

/**
 * Parses the folders and feeds of an OPML file, in order. Does not expand entities that the document defines.
 * Skips bookmarks, and keeps feeds without a name.
 * @throws OpmlFailure if the text is not an OPML document
 */
export function parseOpml(xml: string): OpmlOutline {
	try {
		const { head, body } = readOpml(withoutDoctype(xml));
		return { title: head?.title ?? '', nodes: readNodes(body?.outlines) };
	} catch (error) {
		const unreadable = [DetectError, MalformedError, ParseError].some((kind) => error instanceof kind);
		if (!unreadable) throw error;
		throw new OpmlFailure('The file is no OPML document.', { cause: error });
	}
}

interface WrittenOutline {
	outline?: WrittenOutline[];
	[attribute: `@${string}`]: string;
}

function writeNode(node: OpmlNode): WrittenOutline {
	const named = { '@text': node.title, '@title': node.title };
	if (node.kind === 'folder') return { ...named, outline: node.children.map(writeNode) };
	const site = node.htmlUrl && { '@htmlUrl': node.htmlUrl };
	return { ...named, '@type': 'rss', '@version': 'RSS', '@xmlUrl': node.xmlUrl, ...site };
}

/** Writes folders and feeds as OPML 2.0, in order. */
export function renderOpml(title: string, ownerName: string, nodes: OpmlNode[]): string {
	const builder = new XMLBuilder({
		ignoreAttributes: false,
		attributeNamePrefix: '@',
		suppressBooleanAttributes: false,
		suppressEmptyNode: true,
		format: true,
	});
	return builder.build({
		'?xml': { '@version': '1.0', '@encoding': 'utf-8' },
		opml: {
			'@version': '2.0',
			head: { title, ownerName },
			body: { outline: nodes.map(writeNode) },
		},
	});
}
