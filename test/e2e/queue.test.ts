/** Tests n8n's queue mode with Redis, PostgreSQL, a main process and two workers that share a rate-limited account. */
import assert from 'node:assert/strict';
import { type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, environmentOf, freePort } from '../../playground/n8n.ts';
import { endGroup, killGroup, startGroup } from '../../playground/processes.ts';
import { startDatabases, type Databases } from './support/database.ts';
import { failureOf, jsonOf, type Execution } from './support/executions.ts';
import { startReal, type Real } from './support/real.ts';
import { LinkClient } from '../support/clients/link-client.ts';
import { linearWorkflow, items } from '../support/nodes/workflow.ts';

const executions = 50;
const itemsPerExecution = 40;
/** Higher than the real limit of 30 a minute, with which the test would take over an hour. Reset times are whole seconds. */
const rateLimit = { count: 300, seconds: 5 };

let databases: Databases;
let real: Real;
let account: LinkClient;
const workers: ChildProcess[] = [];

before(async () => {
	databases = await startDatabases();
	real = await startReal({ environment: databases.environment, sandbox: { rateLimit } });
	account = new LinkClient(real.sandbox.linksUrl);
	for (let n = 1; n <= 2; n++) workers.push(await startWorker(n));
});
after(async () => {
	for (const worker of workers) await endGroup(worker);
	await real?.stop();
	await databases?.stop();
});

async function startWorker(n: number): Promise<ChildProcess> {
	const log = await open(join(real.folder, `worker-${n}.log`), 'a');
	const userFolder = join(real.folder, 'n8n');
	const { installation } = real;
	const worker = startGroup(process.execPath, [commandOf(installation), 'worker', '--concurrency=5'], {
		cwd: userFolder,
		env: await environmentOf({
			installation,
			userFolder,
			port: await freePort(),
			environment: { ...databases.environment, QUEUE_HEALTH_CHECK_ACTIVE: 'false' },
		}),
		stdio: ['ignore', log.fd, log.fd],
	});
	await log.close();
	return worker;
}

/** Creates a workflow that creates a link for each of its items; their targets start with `prefix`. */
async function workflowOf(prefix: string): Promise<string> {
	const { id, name } = real.credentials.find(({ type }) => type === 'linkManagerApi')!;
	const node = {
		name: 'Short Link',
		type: 'n8n-nodes-newslink.linkManager',
		parameters: { resource: 'shortLink', operation: 'create', url: '={{ $json.url }}' },
		credentials: { linkManagerApi: { id, name } },
	};
	const pinned = Array.from({ length: itemsPerExecution }, (_, n) => ({ url: `${prefix}/${n}` }));
	const created = await real.client.post<{ id: string }>(
		'/rest/workflows',
		linearWorkflow(prefix, [items, node], pinned),
	);
	return created.id;
}

async function start(workflowId: string): Promise<string> {
	const { executionId } = await real.client.post<{ executionId: string }>(
		`/rest/workflows/${workflowId}/run`,
		{ triggerToStartFrom: { name: 'Items' } },
	);
	return executionId;
}

/** The number of links for each target that starts with `prefix`. */
async function linksByTarget(prefix: string): Promise<Map<string, number>> {
	const counts = new Map<string, number>();
	for (const { longurl } of await account.allEntries('/urls', 'urls')) {
		const url = String(longurl);
		if (url.startsWith(prefix)) counts.set(url, (counts.get(url) ?? 0) + 1);
	}
	return counts;
}

async function waitForAll(ids: string[]): Promise<Execution[]> {
	const executions: Execution[] = [];
	for (const id of ids) executions.push(await real.executions.finished(id, 300_000));
	return executions;
}

describe('queue mode', () => {
	it(`creates ${executions * itemsPerExecution} links over ${executions} executions, each once`, async () => {
		const prefix = 'https://example.com/queue';
		const workflows: string[] = [];
		for (let n = 0; n < executions; n++) workflows.push(await workflowOf(`${prefix}/${n}`));
		const before = await account.requests();
		const startedAt = Date.now();
		const ids = await Promise.all(workflows.map(start));
		const finished = await waitForAll(ids);
		const seconds = (Date.now() - startedAt) / 1000;
		const after = await account.requests();
		for (const execution of finished) {
			assert.equal(execution.status, 'success', failureOf(execution));
			assert.equal(jsonOf(execution, 'Short Link').length, itemsPerExecution);
		}
		const served = after.served - before.served;
		const refused = after.refused - before.refused;
		const counts = await linksByTarget(prefix);
		console.log(`${counts.size} links in ${seconds.toFixed(1)} s; ${refused} requests over the limit`);
		assert.equal(counts.size, executions * itemsPerExecution);
		assert.deepEqual(
			[...counts.values()].filter((count) => count !== 1),
			[],
		);
		assert.equal(served, executions * itemsPerExecution);
		assert.ok(refused < served / 10, 'the workers exceed the limit');
	});

	it('reports the executions of a killed worker as failed, and creates no link twice', async () => {
		const prefix = 'https://example.com/killed';
		const workflows: string[] = [];
		for (let n = 0; n < 8; n++) workflows.push(await workflowOf(`${prefix}/${n}`));
		const before = await account.requests();
		const ids = await Promise.all(workflows.map(start));
		// Wait until the workers are creating links.
		while ((await account.requests()).served - before.served < itemsPerExecution) await sleep(50);
		killGroup(workers[0]!);
		const finished = await waitForAll(ids);
		const statuses = finished.map(({ status }) => status);
		console.log(`After a worker was killed:\n${finished.map(failureOf).join('\n')}`);
		for (const status of statuses) assert.match(status, /^(success|error|crashed)$/);
		assert.ok(
			statuses.some((status) => status !== 'success'),
			'nothing was running on the killed worker',
		);
		const counts = await linksByTarget(prefix);
		assert.deepEqual(
			[...counts].filter(([, count]) => count !== 1),
			[],
		);
		for (const { status, workflowId } of finished) {
			const n = workflows.indexOf(workflowId);
			const links = [...counts.keys()].filter((url) => url.startsWith(`${prefix}/${n}/`));
			if (status === 'success') assert.equal(links.length, itemsPerExecution);
		}
		// n8n has deleted the data of the failed executions: a retry runs no node.
		for (const { id } of finished.filter(({ status }) => status !== 'success')) {
			const { data } = await real.client.post<Execution>(`/rest/executions/${id}/retry`, {});
			assert.deepEqual(data?.resultData.runData, {});
		}
		assert.equal((await linksByTarget(prefix)).size, counts.size);
	});
});
