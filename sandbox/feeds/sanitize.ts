import sanitizeHtml from 'sanitize-html';
import { absoluteUrl } from './text.ts';

interface CleanHtml {
	html: string;
	/** Absolute URLs of its images, in order, without duplicates. */
	imageUrls: string[];
}

/**
 * Removes scripts, event handlers, styles, forms, frames, `javascript:` URLs and tracking pixels from HTML.
 * Resolves relative URLs against `baseUrl`.
 */
export function cleanHtml(html: string, baseUrl: string): CleanHtml {
	const images = new Set<string>();
	const resolve = (name: string): sanitizeHtml.Transformer => {
		return (tagName, attribs) => ({
			tagName,
			attribs: { ...attribs, [name]: absoluteUrl(attribs[name], baseUrl) ?? '' },
		});
	};
	const cleaned = sanitizeHtml(html, {
		allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img'],
		allowedAttributes: { a: ['href', 'title'], img: ['src', 'alt', 'title', 'width', 'height'] },
		transformTags: { a: resolve('href'), img: resolve('src') },
		exclusiveFilter({ tag, attribs }) {
			if (tag !== 'img') return false;
			if (!attribs.src || (attribs.width === '1' && attribs.height === '1')) return true;
			images.add(attribs.src);
			return false;
		},
	});
	return { html: cleaned.trim(), imageUrls: [...images] };
}
