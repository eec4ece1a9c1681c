/** The Link Manager Trigger against the local service, as its contract says and as hosts were seen. */
import { linkService } from '../../sandbox/links/index.ts';
import { startServer, type RunningServer } from '../../sandbox/shared/server.ts';
import type { Engine } from '../../demo/engine.ts';
import { LinkClient } from '../sandbox/linkClient';
import { variants } from '../contract/endpoint';
import { Gate } from './gate';
import { credentialsFor, startEngine } from './link-node';
import { holdTime, idsOf, releaseTime, TriggerRun, type Keeping } from './trigger-run';

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

describe.each(variants)('%s', (variant) => {
	let server: RunningServer;
	let gate: Gate;
	let service: LinkClient;
	let names = 0;

	beforeEach(async () => {
		server = await startServer([linkService], { port: 0, variant, rateLimit: null });
		gate = await Gate.before(server.url);
		service = new LinkClient(`${server.url}/links`);
	});
	afterEach(async () => {
		await gate.close();
		await server.close();
	});

	/** A trigger of its own, with a name of its own. */
	const trigger = (parameters: object, keeping: Keeping = 'legacy'): TriggerRun =>
		new TriggerRun(
			engine,
			{
				name: `Trigger ${(names += 1)}`,
				type: 'n8n-nodes-newslink.linkManagerTrigger',
				parameters,
				credentials: { linkManagerApi: { id: 'key', name: 'key' } },
			},
			credentialsFor({ baseUrl: `${gate.url}/links` }),
			keeping,
		);

	/** Makes a QR code. */
	async function newCode(text = 'hello'): Promise<{ id: number; code: string }> {
		const { id, link } = await service.add('/qr/add', { type: 'text', data: text });
		return { id: Number(id), code: String(link).split('/').at(-1)! };
	}

	async function scan(code: string, count = 1, more: object = {}): Promise<void> {
		const response = await fetch(`${server.url}/links/sandbox/visits`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ kind: 'qr', code, count, ...more }),
		});
		expect(response.status).toBe(200);
	}

	it('tells new scans by code, with what changed', async () => {
		const one = await newCode('one');
		const two = await newCode('two');
		await scan(one.code, 3, { country: 'Norway' });
		const run = trigger({ event: 'newQrScan' });
		expect(await run.activate()).toEqual([]);
		expect(await run.poll()).toEqual([]);
		await scan(one.code, 2, { country: 'Chile' });
		await scan(two.code, 1, { country: 'Norway', referrer: 'https://example.com/' });
		const items = await run.poll();
		expect(items).toMatchObject([
			{
				id: one.id,
				newScans: 2,
				previousScans: 3,
				scans: 5,
				changes: { countries: { Chile: 2 } },
				eventId: `qr:${one.id}:scans:4-5`,
			},
			{ id: two.id, newScans: 1, previousScans: 0, scans: 1, changes: { countries: { Norway: 1 } } },
		]);
		expect(await run.poll()).toEqual([]);
		await scan(one.code, 1, { country: 'Norway' });
		expect(await run.poll()).toMatchObject([{ newScans: 1, changes: { countries: { Norway: 1 } } }]);
	});

	it('tells each scan by itself, a code that appears with scans once, and a quiet poll is one request', async () => {
		const run = trigger({ event: 'newQrScan', scanItems: 'scan' });
		expect(await run.activate()).toEqual([]);
		const { id, code } = await newCode();
		await scan(code, 3);
		expect(idsOf(await run.poll())).toEqual([1, 2, 3].map((n) => `qr:${id}:scan:${n}`));
		expect(await gate.during(async () => expect(await run.poll()).toEqual([]))).toEqual([
			'GET /links/api/qr?limit=100&page=1',
		]);
	});
});
