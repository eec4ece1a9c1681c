import type { MediaNs } from 'feedsmith';
import type { Attachment } from '../attachments.ts';
import { present, type Text } from './raw.ts';

/** A media element with the elements of its groups. */
function partsOf(media: MediaNs.ItemOrFeed | undefined) {
	return [media ?? {}, ...(media?.groups ?? [])];
}

export function mediaAttachments(media: MediaNs.ItemOrFeed | undefined): Attachment[] {
	return partsOf(media).flatMap((part) => part.contents ?? []);
}

export function mediaThumbnails(media: MediaNs.ItemOrFeed | undefined): Text[] {
	return partsOf(media)
		.flatMap((part) => part.thumbnails ?? [])
		.map(({ url }) => url);
}

/** The labels or names of categories, and the keywords. */
export function mediaTags(media: MediaNs.ItemOrFeed | undefined): string[] {
	return present(
		partsOf(media).flatMap((part) => [
			...(part.categories ?? []).map(({ label, name }) => label ?? name),
			...(part.keywords ?? []),
		]),
	);
}
