import { createHash } from 'node:crypto';

export function sha1(text: string): string {
	return createHash('sha1').update(text).digest('hex');
}

/** The service's hash of a story: `<feed id>:<first six hex digits of the SHA-1 of the guid>`. */
export function storyHash(feedId: number, guid: string): string {
	return `${feedId}:${sha1(guid).slice(0, 6)}`;
}
