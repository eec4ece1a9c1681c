import decodeIco from 'decode-ico';
import sharp, { type Sharp } from 'sharp';
import { FeedFailure } from './failures.ts';
import { fetchPage } from './fetch.ts';
import { downloadFound } from './http.ts';
import { linksOf, parsePage, type PageLink } from './parse-page.ts';
import type { Favicon, NetworkPolicy } from './feed-types.ts';

const MAX_SIDE = 64;
const MIN_SIDE = 16;
const MAX_CANDIDATES = 4;
const MAX_ICON_BYTES = 1024 * 1024;

const ICON_RELATIONS = ['icon', 'apple-touch-icon', 'apple-touch-icon-precomposed'];

/** The width that an icon link declares; vector images fit every size. */
function announcedSide({ sizes, type, rel }: PageLink): number {
	if (type === 'image/svg+xml' || sizes === 'any') return MAX_SIDE;
	const sides = sizes
		.split(/\s+/)
		.map((size) => Number.parseInt(size, 10))
		.filter((side) => side > 0);
	if (sides.length > 0) return Math.max(...sides);
	return rel.includes('icon') ? 32 : 180;
}

/** Compares by distance to the maximum size, nearest first. */
function byFitness(a: PageLink, b: PageLink): number {
	return Math.abs(announcedSide(a) - MAX_SIDE) - Math.abs(announcedSide(b) - MAX_SIDE);
}

async function candidates(siteUrl: string, policy: NetworkPolicy): Promise<string[]> {
	const usual = new URL('/favicon.ico', siteUrl).href;
	try {
		const page = await fetchPage(siteUrl, policy);
		const icons = linksOf(parsePage(page.html), 'link', page.url).filter(({ rel }) =>
			rel.some((relation) => ICON_RELATIONS.includes(relation)),
		);
		const urls = icons.sort(byFitness).map(({ url }) => url);
		return [...new Set([...urls.slice(0, MAX_CANDIDATES), new URL('/favicon.ico', page.url).href])];
	} catch (error) {
		if (error instanceof FeedFailure) return [usual];
		throw error;
	}
}

function isIco(bytes: Uint8Array): boolean {
	return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === 0;
}

/** An image that sharp can read: for an ICO file, its largest image. */
function imageOf(bytes: Uint8Array): Sharp {
	if (!isIco(bytes)) return sharp(bytes, { limitInputPixels: 4096 * 4096 });
	const [largest] = decodeIco(bytes).sort((a, b) => b.width - a.width || b.bpp - a.bpp);
	if (!largest) throw new Error('The icon file holds no image.');
	if (largest.type === 'png') return sharp(largest.data);
	const { data, width, height } = largest;
	return sharp(Buffer.from(data), { raw: { width, height, channels: 4 } });
}

/** The most frequent color of the visible pixels, preferring colored ones: 'rrggbb'. */
function dominantColor(pixels: Buffer): string {
	const buckets = new Map<number, { count: number; weight: number; sum: [number, number, number] }>();
	for (let i = 0; i + 3 < pixels.length; i += 4) {
		const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(i, i + 4);
		if (alpha < 128) continue;
		const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
		const bucket = buckets.get(key) ?? { count: 0, weight: 0, sum: [0, 0, 0] };
		// Grays have a low weight, so that a white background does not determine the color of an icon.
		const isGray = Math.max(red, green, blue) - Math.min(red, green, blue) < 24;
		bucket.count += 1;
		bucket.weight += isGray ? 0.05 : 1;
		bucket.sum = [bucket.sum[0] + red, bucket.sum[1] + green, bucket.sum[2] + blue];
		buckets.set(key, bucket);
	}
	const [top] = [...buckets.values()].sort((a, b) => b.weight - a.weight);
	if (!top) return '808080';
	return top.sum
		.map((total) =>
			Math.round(total / top.count)
				.toString(16)
				.padStart(2, '0'),
		)
		.join('');
}

async function render(bytes: Uint8Array): Promise<Favicon> {
	const source = imageOf(bytes);
	const { width = 0, height = 0 } = await source.metadata();
	const side = Math.min(MAX_SIDE, Math.max(MIN_SIDE, width, height));
	const { data, info } = await source
		.resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
		.ensureAlpha()
		.toColourspace('srgb')
		.raw()
		.toBuffer({ resolveWithObject: true });
	const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
		.png()
		.toBuffer();
	return { png, color: dominantColor(data) };
}

/** The image, or null if the bytes are not an image (an HTML page saying "not found" with status 200 is common). */
async function renderOrNull(bytes: Uint8Array): Promise<Favicon | null> {
	return render(bytes).catch((): null => null);
}

/**
 * Fetches the icon of a site: the one that its page links (ICO, PNG, SVG, JPEG, GIF, WebP), otherwise `/favicon.ico`.
 * @returns null if the site has no valid icon
 */
export async function fetchFavicon(siteUrl: string, policy: NetworkPolicy): Promise<Favicon | null> {
	for (const url of await candidates(siteUrl, policy)) {
		try {
			const { bytes } = await downloadFound(url, { ...policy, maxBytes: MAX_ICON_BYTES });
			const icon = await renderOrNull(bytes);
			if (icon) return icon;
		} catch (error) {
			if (!(error instanceof FeedFailure)) throw error;
		}
	}
	return null;
}
