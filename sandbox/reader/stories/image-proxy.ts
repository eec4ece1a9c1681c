import { createHmac } from 'node:crypto';
import type { Reader } from '../reader.ts';

const key =
	'The sandbox keeps no secret: this keeps its addresses from leading anywhere but to pictures of stories.';

const signature = (image: string): string => createHmac('sha256', key).update(image).digest('base64url');

/** The URLs of pictures on the service's image proxy, by original URL; `size` in pixels. */
export function proxiedImages(
	reader: Reader,
	images: readonly string[],
	size?: number,
): Record<string, string> {
	if (!reader.differs('proxied-images')) return {};
	const scaled = size === undefined ? '' : `${size},`;
	return Object.fromEntries(
		images.map((image) => [
			image,
			`${reader.baseUrl}/imageproxy/${scaled}sc,s${signature(image)}=/${encodeURIComponent(image)}`,
		]),
	);
}

/** Whether the signed options in a proxy URL are valid for the picture. */
export function isSigned(options: string, image: string): boolean {
	return options.endsWith(`sc,s${signature(image)}=`);
}
