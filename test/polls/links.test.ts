/** Tests the events of the Link Manager Trigger against both variants of the sandbox. */
import { variants } from '../../cases/endpoint.ts';
import { WatchedLinks } from '../support/triggers/trigger-links';
import { holdTime, eventIdsOf, time } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

beforeEach(holdTime);

describe.each(variants)('%s', (variant) => {
	let links: WatchedLinks;

	beforeEach(async () => {
		links = await WatchedLinks.start(engine, { variant });
	});

	it('emits new scans of each code, with the changes', async () => {
		const one = await links.createCode('one');
		const two = await links.createCode('two');
		await links.visit(one.code, 3, { country: 'Norway' });
		const run = links.trigger({ event: 'newQrScan' });
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		await links.visit(one.code, 2, { country: 'Chile' });
		await links.visit(two.code, 1, { country: 'Norway', referrer: 'https://example.com/' });
		const requested = await links.host.requestsDuring(async () =>
			expect(await run.poll()).toMatchObject([
				{
					id: one.id,
					newScans: 2,
					previousScans: 3,
					scans: 5,
					changes: { countries: { Chile: 2 } },
					eventId: `qr:${one.id}:scans:4-5`,
				},
				{ id: two.id, newScans: 1, previousScans: 0, scans: 1, changes: { countries: { Norway: 1 } } },
			]),
		);
		expect(requested).toHaveLength(3);
		expect(await run.poll()).toEqual([]);
		await links.visit(one.code, 1, { country: 'Norway' });
		expect(await run.poll()).toMatchObject([{ newScans: 1, changes: { countries: { Norway: 1 } } }]);
	});

	it('emits each scan separately, also those of a new code', async () => {
		const run = links.trigger({ event: 'newQrScan', scanItems: 'scan' });
		expect(await run.activate()).toEqual([]);
		const { id, code } = await links.createCode();
		await links.visit(code, 3, { country: 'Chile' });
		const items = await run.poll();
		expect(eventIdsOf(items)).toEqual([1, 2, 3].map((n) => `qr:${id}:scan:${n}`));
		expect(items.map(({ changes }) => changes)).toEqual([
			null,
			null,
			expect.objectContaining({ countries: { Chile: 3 } }),
		]);
		const requested = await links.host.requestsDuring(async () => expect(await run.poll()).toEqual([]));
		expect(requested).toEqual(['GET /links/api/qr?limit=100&page=1']);
	});

	it('has no changes if a part of the scans was emitted one by one', async () => {
		const { id, code } = await links.createCode();
		const run = await links
			.trigger({ event: 'newQrScan', scanItems: 'scan', options: { maximum: 1 } })
			.activated();
		await links.visit(code, 3, { country: 'Chile' });
		expect(eventIdsOf(await run.poll())).toEqual([`qr:${id}:scan:1`]);
		const grouped = run.withParameters({ scanItems: 'code' });
		expect(await grouped.activate()).toMatchObject([{ newScans: 2, changes: null }]);
		await links.visit(code, 1, { country: 'Peru' });
		expect(await grouped.poll()).toMatchObject([{ newScans: 1, changes: { countries: { Peru: 1 } } }]);
	});

	it('watches selected codes, or codes by name', async () => {
		const menu = await links.createCode('the menu');
		const table = await links.createCode('the table');
		const chosen = links.trigger({ event: 'newQrScan', whichQrCodes: 'chosen', qrCodeIds: [menu.id] });
		const named = links.trigger({ event: 'newQrScan', whichQrCodes: 'name', nameContains: 'TABLE' });
		const withoutChanges = links.trigger({ event: 'newQrScan', includeChanges: false });
		for (const run of [chosen, named, withoutChanges]) expect(await run.activate()).toEqual([]);
		await links.visit(menu.code);
		await links.visit(table.code, 2);
		expect(await chosen.poll()).toMatchObject([{ id: menu.id, newScans: 1 }]);
		expect(await named.poll()).toMatchObject([{ id: table.id, newScans: 2 }]);
		const requested = await links.host.requestsDuring(async () =>
			expect(await withoutChanges.poll()).toHaveLength(2),
		);
		expect(requested).toHaveLength(1);
	});

	it('emits new clicks on short links', async () => {
		const { id, code } = await links.createLink();
		const run = links.trigger({ event: 'newShortLinkClick' });
		expect(await run.activate()).toEqual([]);
		await links.visit(code, 2, { kind: 'url', country: 'Peru' });
		expect(await run.poll()).toMatchObject([
			{
				id,
				uniqueClicks: variant === 'wild' ? 1 : null,
				newClicks: 2,
				changes: { countries: { Peru: 2 } },
				eventId: `link:${id}:clicks:1-2`,
			},
		]);
		expect(await run.poll()).toEqual([]);
	});

	it('keeps the members of the list that the details lack or leave blank', async () => {
		const { id, code } = await links.createLink();
		const run = links.trigger({ event: 'newShortLinkClick' });
		expect(await run.activate()).toEqual([]);
		await links.visit(code, 1, { kind: 'url' });
		links.host.respond = ({ path }) =>
			path.endsWith(`/url/${id}`)
				? { body: { error: 0, details: { id, shorturl: null, longurl: '', alias: code, clicks: '2' } } }
				: undefined;
		const shortUrl = expect.stringMatching(new RegExp(`^http.*/${code}$`)) as string;
		const listed = { id, shortUrl, longUrl: 'https://example.com/', newClicks: 2 };
		expect(await run.poll()).toMatchObject([listed]);
	});

	it('returns dates in the time zone of the credential', async () => {
		const run = links.trigger({ event: 'newPixel' });
		expect(await run.activate()).toEqual([]);
		await links.service.add('/pixel/add', { type: 'bing', name: 'b', tag: 't' });
		const { body } = await links.service.call('GET', '/pixels');
		const [{ date }] = Object(body.data).pixels as [{ date: string }];
		expect(date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
		expect(await run.poll()).toMatchObject([{ date: `${date.replace(' ', 'T')}.000Z` }]);
	});

	it('returns existing scans in a test run, without changing the state', async () => {
		const { code } = await links.createCode();
		await links.visit(code, 2);
		const run = links.trigger({ event: 'newQrScan' });
		await expect(links.trigger({ event: 'newShortLinkClick' }).test()).rejects.toThrow('nothing to show');
		expect(await run.activate()).toEqual([]);
		expect(await run.test()).toMatchObject([{ newScans: 2 }]);
		expect(await run.poll()).toEqual([]);
	});
});

describe('clicks per day, at 30 requests a minute', () => {
	const DAY = 24 * 3_600_000;

	it.each([
		['with changes', { includeChanges: true }, 25],
		['without changes', { includeChanges: false, options: { maximum: 60 } }, 60],
	])('are those since the day before, %s', async (_, settings, count) => {
		const links = await WatchedLinks.start(engine, { rateLimit: { count: 30, seconds: 60 } });
		const codes: string[] = [];
		for (let made = 0; made < count; made += 1) {
			if (made % 30 === 0) time.advance(61_000);
			codes.push((await links.createLink()).code);
		}
		time.advance(61_000);
		const run = await links.trigger({ event: 'newShortLinkClick', ...settings }).activated();
		for (const clicks of [1, 2, 3]) {
			for (const code of codes) await links.visit(code, clicks, { kind: 'url' });
			time.advance(DAY);
			const counted = (await run.poll()).map(({ newClicks }) => newClicks);
			expect(counted).toEqual(codes.map(() => clicks));
		}
	});
});

it('does not start New Domain if one poll can’t read the whole list', async () => {
	const links = await WatchedLinks.start(engine, { rateLimit: { count: 5, seconds: 60 } });
	for (let n = 0; n <= 300; n += 1) {
		if (n % 5 === 0) time.advance(60_000);
		await links.service.add('/domain/add', { domain: `https://d${n}.example.com` });
	}
	const run = links.trigger({ event: 'newDomain', firstPoll: 'everything' });
	time.advance(60_000);
	expect(await run.activate()).toEqual([]);
	await expect(run.poll()).rejects.toThrow('could not be read whole in one poll');
});
