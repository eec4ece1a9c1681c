/** Tests both triggers on a real n8n that is killed at random times: no event is lost, and few are emitted again; none with durable cursors. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeJson } from '../../engine/index.ts';
import { startN8n, type N8n } from '../../playground/n8n.ts';
import { durableCursors, everyTenSeconds, scheduler, startReal, type Real } from './support/real.ts';
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
		kills: 3,
		maxRepeats: 3,
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
		kills: 3,
		maxRepeats: 0,
		isStateInWorkflow: false,
	},
};
const perRound = 4;
const feed = 'open-bench';
const timeoutMs = 180_000;

let real: Real;
let n8n: N8n;
let reader: ReaderClient;
let links: LinkClient;
let code: string;

async function start(environment: Record<string, string>): Promise<void> {
	real = await startReal({ environment });
	({ n8n } = real);
	reader = await ReaderClient.logIn(real.sandbox.readerUrl, 'reader');
	links = new LinkClient(real.sandbox.linksUrl);
	await reader.unreadOfFetchedFeeds();
	const { link } = await links.add('/qr/add', { type: 'link', data: 'https://example.com/menu' });
	code = String(link).split('/').at(-1)!;
}

/** Activates a workflow with one trigger, and waits for its first state if n8n shows it. @returns its id */
async function activate(trigger: NodeJson, { isStateInWorkflow }: Mode): Promise<string> {
	const { id, versionId } = await real.client.post<{ id: string; versionId: string }>(
		'/rest/workflows',
		linearWorkflow(trigger.name, [trigger, { name: 'Seen', type: 'n8n-nodes-base.noOp' }]),
	);
	await real.client.post(`/rest/workflows/${id}/activate`, { versionId });
	if (!isStateInWorkflow) return id;
	// n8n responds before the first poll, for which earlier events count as known.
	for (let attempt = 0; attempt < 300; attempt++) {
		const { staticData } = await real.client.get<{ staticData: object | null }>(`/rest/workflows/${id}`);
		if (staticData !== null) return id;
		await sleep(100);
	}
	throw new Error(`${trigger.name} is not active after 30 seconds`);
}

function credential(type: string): NodeJson['credentials'] {
	const { id, name } = real.credentials.find((record) => record.type === type)!;
	return { [type]: { id, name } };
}

/**
 * Kills n8n without a shutdown, and starts it again. If events are not repeated, it waits for running executions before:
 * n8n does not run one again that it was killed in.
 */
async function crash({ environment, maxRepeats }: Mode, ...workflows: string[]): Promise<void> {
	if (maxRepeats === 0) await untilNoneRuns(workflows);
	await n8n.kill();
	n8n = await startN8n({
		installation: real.installation,
		userFolder: join(real.folder, 'n8n'),
		port: Number(new URL(n8n.url).port),
		log: join(real.folder, 'n8n.log'),
		environment,
	});
}

async function untilNoneRuns(workflows: string[]): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() < deadline) {
		const executions = await Promise.all(workflows.map(async (id) => await real.executions.of(id)));
		if (!executions.flat().some(({ status }) => status === 'new' || status === 'running')) return;
		await sleep(100);
	}
}

const emittedTitles = async (stories: string): Promise<string[]> =>
	(await real.executions.outputsOf(stories, 'Seen')).map(({ title }) => String(title));

/** The emitted titles, as soon as all titles and scans are emitted, or after a timeout. */
async function waitForAll(stories: string, titles: string[], scans: string): Promise<string[]> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const seen = await emittedTitles(stories);
		const scanned = await real.executions.outputsOf(scans, 'Seen');
		const isAll = titles.every((title) => seen.includes(title)) && scanned.length >= titles.length;
		if (isAll || Date.now() > deadline) return seen;
		await sleep(1000);
	}
}

for (const [name, mode] of Object.entries(modes)) {
	const { kills, maxRepeats, parameters, pollTimes } = mode;
	describe(`triggers ${name}`, () => {
		before(async () => await start(mode.environment));
		after(async () => {
			await n8n?.stop();
			await real?.stop();
		});

		it(`lose no event when n8n is killed ${kills} ${kills === 1 ? 'time' : 'times'}`, async () => {
			const stories = await activate(
				{
					name: 'New Story',
					type: 'n8n-nodes-newslink.newsReaderTrigger',
					parameters: {
						pollTimes,
						authentication: 'session',
						event: 'newUnreadStory',
						whichFeeds: 'all',
						filters: { titleContains: 'Killed' },
						...parameters,
					},
					credentials: credential('newsReaderSessionApi'),
				},
				mode,
			);
			const scans = await activate(
				{
					name: 'New Scan',
					type: 'n8n-nodes-newslink.linkManagerTrigger',
					parameters: {
						pollTimes,
						event: 'newQrScan',
						whichQrCodes: 'all',
						scanItems: 'scan',
						...parameters,
					},
					credentials: credential('linkManagerApi'),
				},
				mode,
			);
			const published: string[] = [];
			for (let round = 1; round <= kills; round++) {
				const titles = Array.from({ length: perRound }, (_, n) => `Killed ${round}.${n}`);
				published.push(...titles);
				await reader.publish(feed, ...titles.map((title) => ({ title })));
				await links.control('visits', { kind: 'qr', code, count: perRound });
				await sleep(Math.random() * 3000);
				await crash(mode, stories, scans);
				await sleep(Math.random() * 3000);
			}
			const seen = await waitForAll(stories, published, scans);
			const repeats = published.map((title) => seen.filter((seenTitle) => seenTitle === title).length - 1);
			const scanned = (await real.executions.outputsOf(scans, 'Seen')).length;
			console.log(
				`${published.length} stories published, ${seen.length} emitted, at most ${Math.max(...repeats)} repeats of one; ` +
					`${kills * perRound} scans, ${scanned} emitted`,
			);
			assert.deepEqual(
				published.filter((_, n) => repeats[n]! < 0),
				[],
				'lost stories',
			);
			assert.ok(Math.max(...repeats) <= maxRepeats, 'too many repeats');
			assert.deepEqual(
				seen.filter((title) => !published.includes(title)),
				[],
				'unexpected stories',
			);
			assert.ok(scanned >= kills * perRound, 'lost scans');
			assert.ok(scanned <= kills * perRound * (maxRepeats + 1), 'too many repeated scans');
		});
	});
}
