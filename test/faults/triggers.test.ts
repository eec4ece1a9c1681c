/** Tests the Link Manager Trigger with rate limits, failed pages, shifted lists and unexpected counts. */
import { captureLogs } from '../support/nodes/logs';
import type { IDataObject } from 'n8n-workflow';
import { editBody } from '../support/hosts/fake-host';
import { eachScan, scanIds, WatchedLinks } from '../support/triggers/trigger-links';
import { holdTime, eventIdsOf, time } from '../support/triggers/trigger-run';
import { engine } from '../support/nodes/suite-engine';

const logged = captureLogs();

let links: WatchedLinks;
beforeEach(async () => {
	holdTime();
	links = await WatchedLinks.start(engine);
});

const isList = (url: string): boolean => url.includes('/api/qr?');
const isPage = (url: string, page: number): boolean => isList(url) && url.endsWith(`page=${page}`);

/** Changes the QR codes in every list that the service returns. */
function changeLists(change: (codes: IDataObject[], page: number) => IDataObject[]): void {
	links.host.respond = async ({ url }, passOn) => {
		if (!isList(url)) return undefined;
		return editBody(await passOn(), (body) => {
			const list = JSON.parse(body) as { data: { qrs: IDataObject[]; result: number } };
			list.data.qrs = change(list.data.qrs, Number(/page=(\d+)/.exec(url)?.[1]));
			if (list.data.qrs.length === 0) list.data.result = 0;
			return JSON.stringify(list);
		});
	};
}

describe('activation', () => {
	const faults = {
		'429': { status: 429, headers: { 'retry-after': '3600' } },
		'503': { status: 503 },
		'500': { status: 500, body: '<html>oops</html>' },
		'a closed connection': 'drop' as const,
	};
	it.each(Object.entries(faults))(
		'does not fail because of %s; the next successful poll starts the trigger',
		async (_, fault) => {
			const { id, code } = await links.createCode();
			await links.visit(code, 3);
			const run = links.trigger(eachScan);
			links.host.respond = () => fault;
			expect(await run.activate()).toEqual([]);
			expect(run.inDatabase).toEqual({});
			links.host.reset();
			time.advance(3_600_000);
			expect(await run.poll()).toEqual([]);
			await links.visit(code);
			expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 4));
		},
	);

	it('fails with a wrong key', async () => {
		const wrongKey = links.trigger(eachScan, 'legacy', 'wrong-key');
		await expect(wrongKey.activate()).rejects.toMatchObject({ failure: { cause: 'credential-invalid' } });
	});
});

describe('a later poll', () => {
	it.each([
		['rate-limited', { status: 429, headers: { 'retry-after': '120' } }],
		['temporarily-unavailable', { status: 503 }],
		['temporarily-unavailable', { status: 500, body: '<html>oops</html>' }],
		['temporarily-unavailable', 'drop' as const],
	])('reports to n8n that the service is %s', async (cause, fault) => {
		const { id, code } = await links.createCode();
		const run = await links.trigger(eachScan).activated();
		await links.visit(code);
		links.host.respond = () => fault;
		await expect(run.poll()).rejects.toMatchObject({
			failure: { cause, ...(cause === 'rate-limited' && { retryAfterMs: expect.any(Number) as number }) },
		});
		links.host.reset();
		time.advance(200_000);
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
	});
});

it('fails a poll without a response after n8n’s time limit, without delaying the next one', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger(eachScan).activated();
	await links.visit(code);
	run.n8n = { budgetMs: 200 };
	links.host.respond = () => 'hang';
	await expect(run.poll()).rejects.toMatchObject({
		message: expect.stringContaining('This poll was not done within 1 s, its time limit') as string,
		failure: { cause: 'temporarily-unavailable' },
	});
	links.host.reset();
	run.n8n = {};
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
});

it('sends nothing for a poll that waited behind other requests until its time was over', async () => {
	const run = links.trigger(eachScan);
	const headers = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '60' };
	links.host.respond = async (_, passOn) => ({ ...(await passOn()), headers });
	await run.activate();
	let release = (): void => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	links.host.respond = async () => void (await released);
	const other = links.trigger(eachScan).activate();
	run.n8n = { budgetMs: 200 };
	await expect(run.poll()).rejects.toThrow('This poll was not done within 1 s');
	release();
	await other;
	await run.poll();
	expect(links.host.requestsTo('/api/qr')).toHaveLength(3);
});

it('fails a poll without progress because of the rate limit, and loses nothing', async () => {
	const { id, code } = await links.createCode();
	const run = await links.trigger(eachScan).activated();
	await links.visit(code);
	const refused = { status: 429, headers: { 'retry-after': '11' } };
	links.host.respond = ({ path }) => (/\/api\/qr\/\d+/.test(path) ? refused : undefined);
	// The first poll notes that the code waits.
	expect(await run.poll()).toEqual([]);
	await expect(run.poll()).rejects.toMatchObject({ failure: { cause: 'rate-limited' } });
	links.host.reset();
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 1));
});

it('logs that some scans could not be read if it emits others', async () => {
	const [broken, other] = [await links.createCode(), await links.createCode()];
	const run = await links.trigger(eachScan).activated();
	await links.visit(broken.code);
	await links.visit(other.code);
	links.host.respond = ({ path }) => (path.endsWith(`/api/qr/${broken.id}`) ? { status: 503 } : undefined);
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(other.id, 1));
	expect(JSON.stringify(logged)).toContain('could not read everything that is new');
	links.host.reset();
	expect(eventIdsOf(await run.poll())).toEqual(scanIds(broken.id, 1));
});

describe('a list of several pages', () => {
	const createCodes = async (count: number): Promise<Array<{ id: number; code: string }>> => {
		const codes = [];
		for (let n = 0; n < count; n += 1) codes.push(await links.createCode());
		return codes;
	};

	it('emits every scan once if page 3 fails', async () => {
		const codes = await createCodes(250);
		const run = await links.trigger({ ...eachScan, includeChanges: false }).activated();
		const [oldest, newest] = [codes[0]!, codes[249]!];
		await links.visit(oldest.code);
		await links.visit(newest.code);
		links.host.respond = ({ url }) => (isPage(url, 3) ? { status: 500 } : undefined);
		logged.length = 0;
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(newest.id, 1));
		expect(JSON.stringify(logged)).toContain('could not read everything that is new');
		await expect(run.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		links.host.reset();
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(oldest.id, 1));
		expect(await run.poll()).toEqual([]);
	});

	it('emits no entry again that moved to another page or position', async () => {
		await createCodes(250);
		const codes = links.trigger({ event: 'newQrCode' });
		const counts = links.trigger({ ...eachScan, includeChanges: false, firstPoll: 'nothing' });
		// In the first poll, each page lacks its last code; later, every page begins with other codes.
		changeLists((page) => page.slice(0, -1));
		await codes.activate();
		await counts.activate();
		changeLists((page) => [...page.slice(10), ...page.slice(0, 10)]);
		expect(await codes.poll()).toEqual([]);
		expect(await counts.poll()).toEqual([]);
		const { id, code } = await links.createCode();
		await links.visit(code);
		expect(eventIdsOf(await codes.poll())).toEqual([`qrCode:${id}`]);
		expect(eventIdsOf(await counts.poll())).toEqual(scanIds(id, 1));
	});
});

describe('a rate limit of six requests a minute', () => {
	beforeEach(async () => {
		// The Date header has the real time, so the reset is sent as the time left.
		const options = { rateLimit: { count: 6, seconds: 60 }, wild: ['reset-seconds-left'] };
		links = await WatchedLinks.start(engine, options);
	});

	const addMany = async (count: number): Promise<Array<{ id: number; code: string }>> => {
		const codes = [];
		for (let n = 0; n < count; n += 1) {
			if (n % 5 === 0) time.advance(61_000);
			codes.push(await links.createCode());
		}
		time.advance(61_000);
		return codes;
	};

	it('limits the requests for statistics to the window, and continues in later polls', async () => {
		const codes = await addMany(12);
		const run = await links.trigger({ event: 'newQrScan' }).activated();
		for (const { code } of codes) await links.visit(code);
		logged.length = 0;
		const emitted: string[] = [];
		for (let polls = 0; polls < 6; polls += 1) {
			const requested = await links.host.requestsDuring(async () =>
				emitted.push(...eventIdsOf(await run.poll())),
			);
			expect(requested.length).toBeLessThanOrEqual(7);
		}
		expect(emitted.sort()).toEqual(codes.map(({ id }) => `qr:${id}:scans:1-1`).sort());
		expect(JSON.stringify(logged)).not.toContain('could not read everything that is new');
	});
});

describe('a counter', () => {
	/** Creates a QR code with `count` scans, and activates a trigger for it. */
	const watchedCode = async (count: number) => {
		const { id, code } = await links.createCode();
		await links.visit(code, count);
		const run = await links.trigger({ ...eachScan, includeChanges: false }).activated();
		return { id, code, run };
	};

	it('of a code whose host or name changed continues', async () => {
		const { id, code, run } = await watchedCode(3);
		changeLists((codes) =>
			codes.map((entry) => ({
				...entry,
				name: 'renamed',
				link: String(entry.link).replace(/^.*(?=\/qr\/)/, 'https://new-host.example'),
			})),
		);
		await links.visit(code);
		expect(eventIdsOf(await run.poll())).toEqual(scanIds(id, 4));
	});

	it('of a code that is missing in one poll is not emitted again', async () => {
		const { run } = await watchedCode(3);
		changeLists(() => []);
		expect(await run.poll()).toEqual([]);
		links.host.reset();
		expect(await run.poll()).toEqual([]);
	});

	it('is emitted without changes if its code is deleted before its statistics are requested', async () => {
		const { id, code } = await links.createCode();
		const run = await links.trigger({ event: 'newQrScan' }).activated();
		await links.visit(code, 2);
		links.host.respond = ({ url }) =>
			isList(url) ? undefined : { status: 404, body: JSON.stringify({ error: 1, message: 'Gone' }) };
		expect(await run.poll()).toMatchObject([{ id, newScans: 2, changes: null }]);
	});

	it('is emitted without changes, and does not delay others, if its statistics always fail', async () => {
		const broken: number[] = [];
		const run = await links.trigger({ event: 'newQrScan' }).activated();
		for (const text of ['one', 'two', 'three']) {
			const { id, code } = await links.createCode(text);
			await links.visit(code);
			broken.push(id);
		}
		const { id, code } = await links.createCode('four');
		await links.visit(code);
		links.host.respond = ({ path }) =>
			broken.some((brokenId) => path.endsWith(`/api/qr/${brokenId}`)) ? { status: 500 } : undefined;
		expect(await run.poll()).toMatchObject([
			...broken.map((brokenId) => ({ id: brokenId, newScans: 1, changes: null })),
			{ id, newScans: 1, changes: { countries: expect.anything() as object } },
		]);
		expect(await run.poll()).toEqual([]);
	});
});
