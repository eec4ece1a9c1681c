/** The labels of records in the editor's lists. */
import type { Resource } from '../../nodes/runtime/table/operation';
import { linkTable, readerTable } from '../../nodes/tables';

const labelOf = (table: Record<string, Resource>, resource: string, entry: object): string =>
	table[resource]!.listing!.label({ ...entry });

it.each([
	['campaign', { name: 'Spring', id: 7 }, 'Spring'],
	['channel', { name: 'Mail', id: 7 }, 'Mail'],
	['ctaOverlay', { name: 'Hello', id: 7 }, 'Hello'],
	['customSplash', { name: 'Hello', id: 7 }, 'Hello'],
	['domain', { domain: 'https://a.example', id: 7 }, 'https://a.example'],
	['pixel', { name: 'Mine', type: 'gtmpixel', id: 7 }, 'Mine (gtmpixel)'],
	['shortLink', { title: 'T', description: 'D', longUrl: 'https://b.example', alias: 'x' }, 'T (x)'],
	['shortLink', { title: '', description: 'D', longUrl: 'https://b.example', alias: 'x' }, 'D (x)'],
	[
		'shortLink',
		{ longUrl: 'https://b.example', alias: null, shortUrl: 'https://a.example/x' },
		'https://b.example (https://a.example/x)',
	],
	['qrCode', { name: 'Menu', link: 'https://a.example/qr/1' }, 'Menu'],
	['qrCode', { name: '', link: 'https://a.example/qr/1' }, 'https://a.example/qr/1'],
])('labels a %s with %j', (resource, entry, label) => {
	expect(labelOf(linkTable, resource, entry)).toBe(label);
});

it.each([
	['feed', { id: 42, feed_title: 'News', folders: ['Tech / Deep', 'Other'] }, 'Tech / Deep / News'],
	['feed', { id: 42, feed_title: 'News', folders: [''] }, 'News'],
	['feed', { id: 42, folders: [] }, '42'],
	['folder', { name: 'Deep', path: 'Tech / Deep' }, 'Tech / Deep'],
	['savedStory', { tag: 'keep', count: 3 }, 'keep (3)'],
	['user', { username: 'ada', you: false }, 'ada'],
	['user', { username: 'ada', you: true }, 'ada (you)'],
])('labels a %s with %j', (resource, entry, label) => {
	expect(labelOf(readerTable, resource, entry)).toBe(label);
});
