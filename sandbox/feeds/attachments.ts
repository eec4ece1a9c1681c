import { html, type Html } from '../shared/html.ts';

/** A file that belongs to a story: an enclosure, or the content of a media element. */
export interface Attachment {
	url?: string;
	/** MIME type. */
	type?: string;
	/** One of image, audio, video, document and executable. */
	medium?: string;
}

const IMAGE_NAME = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;
/** Kinds of files that real hosts omit from the content. */
const UNSHOWN = new Set(['application', 'text']);

export function isImage({ url, type, medium }: Attachment): boolean {
	if (medium) return medium === 'image';
	if (type) return type.startsWith('image/');
	return IMAGE_NAME.test(url ?? '');
}

/**
 * HTML for the attachments that the content does not contain: players, pictures, and links to files.
 * Omits attachments without a type.
 */
export function attachmentsHtml(attachments: readonly Attachment[], content: string): string {
	const shown = new Map<string, string>();
	for (const { url, type, medium } of attachments) {
		const sort = (type ?? medium ?? '').split('/')[0] ?? '';
		if (!url || sort === '' || UNSHOWN.has(sort) || content.includes(url) || shown.has(url)) continue;
		shown.set(url, html`<p>${element(sort, url, type)}</p>`.toString());
	}
	return [...shown.values()].join('');
}

function element(sort: string, url: string, type: string | undefined): Html {
	const link = html`<a href="${url}">${url}</a>`;
	switch (sort) {
		case 'image':
			return html`<img src="${url}" />`;
		case 'audio':
			return html`<audio controls><source src="${url}" type="${type ?? ''}" /></audio><br />${link}`;
		case 'video':
			return html`<video controls><source src="${url}" type="${type ?? ''}" /></video><br />${link}`;
		default:
			return link;
	}
}
