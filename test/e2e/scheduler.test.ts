/** Tests that a trigger emits each story once with n8n's durable scheduler, which stores polls in the database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { durableCursors, startReal, type Real } from './support/real.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';
import { linearWorkflow } from '../support/nodes/workflow.ts';

const scheduler = { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' };
const modes = {
	'with durable cursors': durableCursors,
	'without durable cursors': scheduler,
};
const feed = 'open-bench';
/** n8n polls once a minute. */
const timeoutMs = 180_000;

// Concurrently, because each test mostly waits for n8n's next poll.
describe("n8n's durable scheduler", { concurrency: true }, () => {
	for (const [name, environment] of Object.entries(modes)) {
		describe(name, () => {
			let real: Real;
			let reader: ReaderClient;
			before(async () => {
				real = await startReal({ environment });
				reader = await ReaderClient.logIn(real.sandbox.readerUrl, 'reader');
				await reader.unreadOfFetchedFeeds();
			});
			after(async () => await real?.stop());

			it('emits each story once', async () => {
				const published = ['Durable 1', 'Durable 2'];
				await reader.publish(feed, ...published.map((title) => ({ title })));
				const { id } = real.credentials.find(({ type }) => type === 'newsReaderSessionApi')!;
				const trigger = {
					name: 'New Story',
					type: 'n8n-nodes-newslink.newsReaderTrigger',
					parameters: {
						pollTimes: { item: [{ mode: 'everyMinute' }] },
						authentication: 'session',
						event: 'newUnreadStory',
						whichFeeds: 'all',
						firstPoll: 'everything',
						filters: { titleContains: 'Durable' },
					},
					credentials: { newsReaderSessionApi: { id, name: 'News Reader Sandbox' } },
				};
				const workflow = await real.client.post<{ id: string; versionId: string }>(
					'/rest/workflows',
					linearWorkflow(name, [trigger, { name: 'Seen', type: 'n8n-nodes-base.noOp' }]),
				);
				const { versionId } = workflow;
				await real.client.post(`/rest/workflows/${workflow.id}/activate`, { versionId });
				assert.deepEqual(await titles(real, workflow.id, published.length), published);
				for (const more of ['Durable 3', 'Durable 4']) {
					published.push(more);
					await reader.publish(feed, { title: more });
					// Later polls must not emit previous stories again.
					assert.deepEqual(await titles(real, workflow.id, published.length), published);
				}
			});
		});
	}
});

/** The emitted titles, as soon as there are `count`, or after a timeout. */
async function titles(real: Real, workflowId: string, count: number): Promise<string[]> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const seen = await real.executions.outputsOf(workflowId, 'Seen');
		if (seen.length >= count || Date.now() > deadline) return seen.map(({ title }) => String(title)).sort();
		await sleep(1000);
	}
}
