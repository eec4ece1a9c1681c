/** Forms that look otherwise now, as version 0.1 saved them. */
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import type { Engine } from '../../engine/index.ts';
import { newsReader, sessionCredential, startEngine } from '../support/reader-node';

let engine: Engine;
let sandbox: Sandbox;
beforeAll(async () => {
	engine = await startEngine();
	sandbox = await startSandbox({ port: 0 });
});
afterAll(async () => await sandbox.close());

/** Signs up with a node of version 1, and tells what it gave. */
async function signUp(additionalFields: object): Promise<{ error: unknown; json: unknown }> {
	const form = { newUsername: 'ada', newEmail: 'ada@example.com', additionalFields };
	const node = newsReader({ resource: 'account', operation: 'signUp', ...form });
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const { error, json } = await engine.run({
		workflow: {
			nodes: [start, { ...node, typeVersion: 1 }],
			connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		},
		startNode: 'Start',
		credentials: sessionCredential(sandbox.readerUrl),
	});
	return { error, json: error ? undefined : json(node.name) };
}

it('takes the password of Account → Sign Up from the additional fields', async () => {
	expect(await signUp({ newPassword: 'open sesame' })).toEqual({
		error: undefined,
		json: [{ success: true, userId: expect.any(Number) }],
	});
});

it('refuses to sign up without a password', async () => {
	const { error } = await signUp({});
	expect(error).toMatchObject({ message: expect.stringContaining('Password') });
});
