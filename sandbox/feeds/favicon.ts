import sharp from 'sharp';
import { FeedFailure } from './failures.ts';
import { fetchPage } from './fetch.ts';
import { downloadFound } from './http.ts';
import { linksOf, parsePage } from './parse-page.ts';
import type { Favicon, NetworkPolicy } from './feed-types.ts';

const SIDE = 64;
const MAX_CANDIDATES = 4;
const MAX_ICON_BYTES = 1024 * 1024;

async function candidates(siteUrl: string, policy: NetworkPolicy): Promise<string[]> {
	const page = await fetchPage(siteUrl, policy);
	const icons = linksOf(parsePage(page.html), 'link', page.url).filter(({ rel }) => rel.includes('icon'));
	return [...icons.slice(0, MAX_CANDIDATES).map(({ url }) => url), new URL('/favicon.ico', page.url).href];
}

async function render(bytes: Uint8Array): Promise<Favicon> {
	const png = await sharp(bytes, { limitInputPixels: 4096 * 4096 })
		.resize(SIDE, SIDE, { fit: 'contain', background: 'transparent' })
		.png()
		.toBuffer();
	const { r, g, b } = (await sharp(png).stats()).dominant;
	return { png, color: [r, g, b].map((channel) => channel.toString(16).padStart(2, '0')).join('') };
}

/**
 * Fetches the icon of a site: the one that its page links, otherwise `/favicon.ico`.
 * @returns null if the site has no icon that `sharp` can read
 */
export async function fetchFavicon(siteUrl: string, policy: NetworkPolicy): Promise<Favicon | null> {
	try {
		for (const url of await candidates(siteUrl, policy)) {
			const icon = await downloadFound(url, { ...policy, maxBytes: MAX_ICON_BYTES }).catch(unlessFailed);
			const rendered = icon && (await render(icon.bytes).catch((): null => null));
			if (rendered) return rendered;
		}
		return null;
	} catch (error) {
		return unlessFailed(error);
	}
}

function unlessFailed(error: unknown): null {
	if (error instanceof FeedFailure) return null;
	throw error;
}
