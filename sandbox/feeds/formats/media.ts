import type { MediaNs } from 'feedsmith';
import type { Text } from './raw.ts';

interface Attachment {
	url?: string;
	type?: string;
	medium?: string;
}

const IMAGE_NAME = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

function isImage({ url, type, medium }: Attachment): boolean {
	if (medium) return medium === 'image';
	if (type) return type.startsWith('image/');
	return IMAGE_NAME.test(url ?? '');
}

/** Addresses of the images among enclosures or media elements. */
export function imagesOf(attachments: Attachment[] | undefined): Text[] {
	return (attachments ?? []).filter(isImage).map(({ url }) => url);
}

/** Images of an item's media elements: contents and groups first, then thumbnails. */
export function mediaImages(media: MediaNs.ItemOrFeed | undefined): Text[] {
	const parts = [media ?? {}, ...(media?.groups ?? [])];
	return [
		...parts.flatMap((part) => imagesOf(part.contents)),
		...parts.flatMap((part) => part.thumbnails ?? []).map(({ url }) => url),
	];
}
