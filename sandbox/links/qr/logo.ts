import sharp from 'sharp';
import { FeedFailure } from '../../feeds/failures.ts';
import { download } from '../../feeds/http.ts';
import type { LinkContext } from '../context.ts';
import { invalid } from '../failure.ts';

const maxBytes = 2 * 1024 * 1024;
const pixels = 256;

/**
 * Loads a logo as a square PNG: from a `data:` URL, from a URL of a public host or the sandbox, or from a path of the
 * sandbox. Never reads files.
 * @throws Failure with the reason if the logo is invalid
 */
export async function loadLogo(context: LinkContext, logo: string): Promise<Uint8Array> {
	const bytes = /^data:/i.test(logo) ? await dataOf(logo) : await fetchLogo(context, logo);
	try {
		const image = sharp(bytes);
		const { format } = await image.metadata();
		if (format === 'png' || format === 'jpeg') {
			return await image
				.resize(pixels, pixels, { fit: 'contain', background: 'transparent' })
				.png()
				.toBuffer();
		}
	} catch (error) {
		throw unusable(error);
	}
	throw invalid('The logo is not a PNG or JPG image.');
}

async function dataOf(url: string): Promise<Uint8Array> {
	if (!URL.canParse(url)) throw invalid('The logo is not a valid data URL.');
	const response = await fetch(url);
	return new Uint8Array(await response.arrayBuffer());
}

async function fetchLogo({ baseUrl, allowPrivate }: LinkContext, logo: string): Promise<Uint8Array> {
	const address = URL.canParse(logo, `${baseUrl}/`) ? new URL(logo, `${baseUrl}/`) : undefined;
	if (address === undefined || !/^https?:$/.test(address.protocol)) {
		throw invalid('The field logo must be a path or URL of a PNG or JPG image.');
	}
	try {
		const { origin } = new URL(baseUrl);
		return (await download(address.href, { allowPrivate, origin, maxBytes, timeoutMs: 10_000 })).bytes;
	} catch (error) {
		if (error instanceof FeedFailure) throw invalid(`The logo cannot be loaded: ${error.message}`);
		throw error;
	}
}

const unusable = (error: unknown) =>
	invalid(`The logo is not a PNG or JPG image (${error instanceof Error ? error.message : String(error)}).`);
