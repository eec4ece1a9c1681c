/** The editor's lists: the labels of records, the paths of API Request, and the wait for the rate limit. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { linkManager } from '../../nodes/LinkManager/service';
import { newsReader } from '../../nodes/NewsReader/service';
import { clock } from '../../nodes/runtime/clock';
import { routesOf, searchOf } from '../../nodes/runtime/description/lists';
import type { Resource } from '../../nodes/runtime/table/operation';
import { linkTable, readerTable } from '../../nodes/tables';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { contextOf, credential } from '../support/hosts/service-context';

const labelOf = (table: Record<string, Resource>, resource: string, entry: object): string =>
	table[resource]!.listing!.label({ ...entry });

it.each([
	['campaign', { name: 'Spring', id: 7 }, 'Spring'],
	['channel', { name: 'Mail', id: 7 }, 'Mail'],
	['ctaOverlay', { name: 'Hello', id: 7 }, 'Hello'],
	['customSplash', { name: 'Hello', id: 7 }, 'Hello'],
	['domain', { domain: 'https://a.example', id: 7 }, 'https://a.example'],
	['pixel', { name: 'Mine', type: 'gtmpixel', id: 7 }, 'Mine (gtmpixel)'],
	['shortLink', { title: '', description: 'D', longUrl: 'https://b.example', alias: 'x' }, 'D (x)'],
	['shortLink', { title: 'T', alias: 'x', shortUrl: 'https://a.example/x' }, 'T (a.example/x)'],
	['shortLink', { longUrl: 'https://b.example', alias: 'x' }, 'https://b.example (x)'],
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

it.each([linkManager, newsReader])('lists all paths but that of API Request itself: $name', (service) => {
	const paths = routesOf(service).map(({ value }) => value);
	expect(paths).not.toEqual([]);
	expect(paths).not.toContain('/{path}');
});

describe('a list behind a rate limit', () => {
	let time: VirtualClock;

	beforeEach(() => {
		time = makeVirtual(clock);
	});

	it.each([
		['waits twenty seconds', '19.975', ['listed', 20_000]],
		['does not wait longer', '19.976', ['refused', 0]],
	])('%s', async (_, reset, expected) => {
		const { context } = contextOf(
			() => ({
				headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
				body: { error: 0, data: { campaigns: [] } },
			}),
			{ ...credential, baseUrl: `https://${reset}.test` },
		);
		const search = async () =>
			await searchOf(linkManager, linkTable.campaign!).call(context as unknown as ILoadOptionsFunctions);
		await search();
		const outcome = await search().then(
			() => 'listed',
			() => 'refused',
		);
		expect([outcome, time.elapsed()]).toEqual(expected);
	});
});
