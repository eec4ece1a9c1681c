/** Tests both triggers on a real n8n that is killed at random times: no event is lost, and few are emitted again; none with durable cursors. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { NodeJson } from '../../engine/index.ts';
import { installN8n } from '../../playground/install.ts';
import { startN8n, type N8n } from '../../playground/n8n.ts';
import { durableCursors, everyTenSeconds, scheduler, startReal, type Real } from './support/real.ts';
import { emittedBefore, jsonOf } from './support/executions.ts';
import { LinkClient } from '../support/clients/link-client.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';
import { linearWorkflow } from '../support/nodes/workflow.ts';

interface Mode {
	environment: Record<string, string>;
	/** Parameters of both triggers. */
	parameters: Record<string, unknown>;
	/** The value of Poll Times. */
	pollTimes: object;
	/** The number of times n8n is killed. */
	kills: number;
	/** The maximum number of repeated emissions of an event: one for each restart of n8n, or none. */
	maxRepeats: number;
	/** Whether n8n stores the triggers' state in the workflow. */
	isStateInWorkflow: boolean;
}

const everyMinute = { item: [{ mode: 'everyMinute' }] };

const modes: Record<string, Mode> = {
	"with n8n's usual polls": {
		environment: {},
		pollTimes: everyTenSeconds,
		parameters: {},
		kills: 2,
		maxRepeats: 2,
		isStateInWorkflow: true,
	},
	"with n8n's scheduler, which stores polls in the database": {
		environment: scheduler,
		pollTimes: everyMinute,
		parameters: {},
		kills: 1,
		maxRepeats: 1,
		isStateInWorkflow: true,
	},
	"with n8n's scheduler and durable cursors": {
		environment: durableCursors,
		pollTimes: everyMinute,
		parameters: { firstPoll: 'everything', options: { repeatMinutes: 0 } },
		kills: 2,
		maxRepeats: 0,
		isStateInWorkflow: false,
	},
};
const perRound = 4;
const feed = 'open-bench';
const timeoutMs = 180_000;

/** An n8n with a sandbox, whose n8n is killed and started again. */
class KilledN8n {
	private readonly mode: Mode;
	private readonly real: Real;
	private readonly reader: ReaderClient;
	private readonly links: LinkClient;
	/** The QR code that is scanned. */
	private readonly code: string;
	private n8n: N8n;

	private constructor(mode: Mode, real: Real, reader: ReaderClient, links: LinkClient, code: string) {
		this.mode = mode;
		this.real = real;
		this.reader = reader;
		this.links = links;
		this.code = code;
		this.n8n = real.n8n;
	}

	static async start(mode: Mode): Promise<KilledN8n> {
		const real = await startReal({ environment: mode.environment });
		try {
			const reader = await ReaderClient.logIn(real.sandbox.readerUrl, 'reader');
			const links = new LinkClient(real.sandbox.linksUrl);
			await reader.unreadOfFetchedFeeds();
			const { link } = await links.add('/qr/add', { type: 'link', data: 'https://example.com/menu' });
			return new KilledN8n(mode, real, reader, links, String(link).split('/').at(-1)!);
		} catch (error) {
			await real.stop();
			throw error;
		}
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		await this.real.stop();
	}

	/** Activates a workflow with one trigger, and waits for its first state if n8n shows it. @returns its id */
	async activate(name: string, type: string, credentialType: string, parameters: object): Promise<string> {
		const { client, credentials } = this.real;
		const credential = credentials.find((record) => record.type === credentialType)!;
		const trigger: NodeJson = {
			name,
			type: `n8n-nodes-newslink.${type}`,
			parameters: { pollTimes: this.mode.pollTimes, ...parameters, ...this.mode.parameters },
			credentials: { [credentialType]: { id: credential.id, name: credential.name } },
		};
		const { id, versionId } = await client.post<{ id: string; versionId: string }>(
			'/rest/workflows',
			linearWorkflow(name, [trigger, { name: 'Seen', type: 'n8n-nodes-base.noOp' }]),
		);
		await client.post(`/rest/workflows/${id}/activate`, { versionId });
		if (!this.mode.isStateInWorkflow) return id;
		// n8n responds before the first poll, for which earlier events count as known.
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			const { staticData } = await client.get<{ staticData: object | null }>(`/rest/workflows/${id}`);
			if (staticData !== null) return id;
			await sleep(100);
		}
		throw new Error(`${name} has no state after three minutes`);
	}

	/** Publishes stories with these titles, and scans the code as often. */
	async cause(titles: string[]): Promise<void> {
		await this.reader.publish(feed, ...titles.map((title) => ({ title })));
		await this.links.control('visits', { kind: 'qr', code: this.code, count: titles.length });
	}

	/** Kills n8n without a shutdown, and starts it again. */
	async crash(): Promise<void> {
		await this.n8n.kill();
		this.n8n = await startN8n({
			installation: this.real.installation,
			userFolder: join(this.real.folder, 'n8n'),
			port: Number(new URL(this.n8n.url).port),
			log: join(this.real.folder, 'n8n.log'),
			environment: this.mode.environment,
		});
	}

	/**
	 * The items of all executions of a workflow. n8n does not run an execution again that it was killed in. If events are not
	 * repeated, the items of such an execution count, too: n8n shows them to the user.
	 */
	private async itemsOf(workflowId: string): Promise<IDataObject[]> {
		const executions = await this.real.executions.of(workflowId);
		return executions.flatMap((execution) => {
			if (execution.status === 'success') return jsonOf(execution, 'Seen');
			return execution.status === 'crashed' && this.mode.maxRepeats === 0 ? emittedBefore(execution) : [];
		});
	}

	/** The titles of the emitted stories and the number of scans, as soon as all are emitted, or after a timeout. */
	async emitted(
		stories: string,
		titles: string[],
		scans: string,
	): Promise<{ seen: string[]; scanned: number }> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const seen = (await this.itemsOf(stories)).map(({ title }) => String(title));
			const scanned = (await this.itemsOf(scans)).length;
			const isAll = titles.every((title) => seen.includes(title)) && scanned >= titles.length;
			if (isAll || Date.now() > deadline) return { seen, scanned };
			await sleep(1000);
		}
	}
}

/** Causes events, and kills n8n, as often as the mode says. @returns what was published and emitted */
async function play(n8n: KilledN8n, kills: number) {
	const stories = await n8n.activate('New Story', 'newsReaderTrigger', 'newsReaderSessionApi', {
		authentication: 'session',
		event: 'newUnreadStory',
		whichFeeds: 'all',
		filters: { titleContains: 'Killed' },
	});
	const scans = await n8n.activate('New Scan', 'linkManagerTrigger', 'linkManagerApi', {
		event: 'newQrScan',
		whichQrCodes: 'all',
		scanItems: 'scan',
	});
	const published: string[] = [];
	for (let round = 1; round <= kills; round++) {
		const titles = Array.from({ length: perRound }, (_, n) => `Killed ${round}.${n}`);
		published.push(...titles);
		await n8n.cause(titles);
		await sleep(Math.random() * 3000);
		await n8n.crash();
		await sleep(Math.random() * 3000);
	}
	return { published, ...(await n8n.emitted(stories, published, scans)) };
}

// All modes at once, because they mostly wait for polls.
describe('triggers lose no event when n8n is killed', { concurrency: true }, () => {
	before(async () => void (await installN8n(undefined, console.log)));

	for (const [name, mode] of Object.entries(modes)) {
		it(name, async () => {
			const n8n = await KilledN8n.start(mode);
			const { published, seen, scanned } = await play(n8n, mode.kills).finally(async () => await n8n.stop());
			const repeats = published.map((title) => seen.filter((seenTitle) => seenTitle === title).length - 1);
			console.log(
				`${published.length} stories published, ${seen.length} emitted, at most ${Math.max(...repeats)} repeats of one; ` +
					`${published.length} scans, ${scanned} emitted`,
			);
			assert.deepEqual(
				published.filter((_, n) => repeats[n]! < 0),
				[],
				'lost stories',
			);
			assert.ok(Math.max(...repeats) <= mode.maxRepeats, 'too many repeats');
			assert.deepEqual(
				seen.filter((title) => !published.includes(title)),
				[],
				'unexpected stories',
			);
			assert.ok(scanned >= published.length, 'lost scans');
			assert.ok(scanned <= published.length * (mode.maxRepeats + 1), 'too many repeated scans');
		});
	}
});
