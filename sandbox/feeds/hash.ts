import { createHash } from 'node:crypto';

export function sha1(text: string): string {
	return createHash('sha1').update(text).digest('hex');
}

/** `<feed id>:<first six hex digits of the SHA-1 of the guid>`, as the service names stories. */
export function storyHash(feedId: number, guid: string): string {
	return `${feedId}:${sha1(guid).slice(0, 6)}`;
}
