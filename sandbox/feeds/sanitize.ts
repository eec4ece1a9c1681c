import sanitizeHtml from 'sanitize-html';
import { absoluteUrl } from './feed-urls.ts';

/** Attributes with URLs, which are made absolute, or removed if they are not http(s) URLs. */
const ADDRESS_ATTRIBUTES = ['href', 'src', 'poster', 'cite'];

const ALLOWED_TAGS = [
	...sanitizeHtml.defaults.allowedTags,
	...['img', 'picture', 'source', 'video', 'audio', 'del', 'ins', 'details', 'summary'],
];

const ALLOWED_ATTRIBUTES: Record<string, string[]> = {
	a: ['href', 'title'],
	img: ['src', 'alt', 'title', 'width', 'height'],
	video: ['src', 'poster', 'controls', 'width', 'height'],
	audio: ['src', 'controls'],
	source: ['src', 'type'],
	blockquote: ['cite'],
	q: ['cite'],
	td: ['colspan', 'rowspan'],
	th: ['colspan', 'rowspan'],
	ol: ['start', 'reversed'],
	time: ['datetime'],
	abbr: ['title'],
};

interface CleanHtml {
	html: string;
	/** Absolute URLs of its images, in order, without duplicates. */
	imageUrls: string[];
}

function isInlineImage(tag: string, name: string, value: string): boolean {
	return tag === 'img' && name === 'src' && /^data:image\/(png|jpeg|gif|webp);base64,/i.test(value);
}

function isMail(name: string, value: string): boolean {
	return name === 'href' && /^mailto:/i.test(value);
}

function resolveAddresses(
	tag: string,
	attributes: sanitizeHtml.Attributes,
	baseUrl: string,
): sanitizeHtml.Attributes {
	const resolved = { ...attributes };
	for (const name of ADDRESS_ATTRIBUTES) {
		const value = attributes[name];
		if (value === undefined || isInlineImage(tag, name, value) || isMail(name, value)) continue;
		const address = absoluteUrl(value, baseUrl);
		if (address) resolved[name] = address;
		else delete resolved[name];
	}
	return resolved;
}

/** Whether an image is a tracking pixel. */
function isCountingPixel({ tag, attribs }: sanitizeHtml.IFrame): boolean {
	return tag === 'img' && (!attribs.src || (attribs.width === '1' && attribs.height === '1'));
}

/** Like `sanitizeStory`, and returns the remaining images. */
export function cleanHtml(html: string, baseUrl: string): CleanHtml {
	const images = new Set<string>();
	const cleaned = sanitizeHtml(html, {
		allowedTags: ALLOWED_TAGS,
		allowedAttributes: ALLOWED_ATTRIBUTES,
		selfClosing: [...sanitizeHtml.defaults.selfClosing, 'source'],
		allowedSchemes: ['http', 'https', 'mailto'],
		allowedSchemesByTag: { img: ['http', 'https', 'data'] },
		allowProtocolRelative: false,
		transformTags: {
			'*': (tagName, attribs) => ({ tagName, attribs: resolveAddresses(tagName, attribs, baseUrl) }),
		},
		exclusiveFilter: (frame) => {
			if (isCountingPixel(frame)) return true;
			const source = frame.attribs.src;
			if (frame.tag === 'img' && source && !source.startsWith('data:')) images.add(source);
			return false;
		},
	});
	return { html: cleaned.trim(), imageUrls: [...images] };
}

/**
 * Removes scripts, event handlers, styles, forms, frames, `javascript:` URLs and tracking pixels from HTML.
 * Resolves relative URLs against `baseUrl`.
 */
export function sanitizeStory(html: string, baseUrl: string): string {
	return cleanHtml(html, baseUrl).html;
}
