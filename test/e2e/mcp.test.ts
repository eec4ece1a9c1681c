/** Tests the gallery's MCP server on a real n8n with an MCP client. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { valueIn } from '../../playground/model.ts';
import { ReaderClient, type Story } from '../support/clients/reader-client.ts';
import { startReal, type Real } from './support/real.ts';

let real: Real;
let reader: ReaderClient;

before(async () => {
	real = await startReal();
	reader = await ReaderClient.logIn(real.sandbox.readerUrl, 'reader');
	await reader.unreadOfFetchedFeeds();
});
after(async () => await real?.stop());

const starred = async (): Promise<Story[]> => (await reader.read('/reader/starred_stories')).stories;

/** Waits until n8n serves an address of a workflow, shortly after it reports the workflow as published. */
async function waitUntilServed(address: string, timeoutMs = 60_000): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while ((await fetch(address, { method: 'POST' })).status === 404) {
		if (Date.now() > deadline) throw new Error(`n8n doesn't serve ${address}`);
		await sleep(50);
	}
}

describe('an MCP client', () => {
	interface Client {
		connect(transport: object): Promise<void>;
		listTools(): Promise<{ tools: Array<{ name: string; description: string }> }>;
		callTool(call: { name: string; arguments: object }): Promise<{ content: Array<{ text: string }> }>;
		close(): Promise<void>;
	}

	it('uses the tools of the gallery’s example', async () => {
		const found = (await real.client.workflows()).find(({ name }) => name.includes('(MCP)'))!;
		const { versionId } = await real.client.get<{ versionId: string }>(`/rest/workflows/${found.id}`);
		await real.client.post(`/rest/workflows/${found.id}/activate`, { versionId });
		// n8n's own version of the library, so that the protocol versions match.
		const load = createRequire(join(real.installation, 'package.json'));
		const { Client: McpClient } = load('@modelcontextprotocol/sdk/client/index.js') as {
			Client: new (about: object) => Client;
		};
		const { StreamableHTTPClientTransport: Transport } = load(
			'@modelcontextprotocol/sdk/client/streamableHttp.js',
		) as { StreamableHTTPClientTransport: new (url: URL) => object };
		const client = new McpClient({ name: 'test', version: '1' });
		const address = `${real.n8n.url}/mcp/newslink`;
		await waitUntilServed(address);
		await client.connect(new Transport(new URL(address)));
		const { tools: offered } = await client.listTools();
		assert.deepEqual(offered.map(({ name }) => name).sort(), [
			...['Find_Links', 'Link_Statistics', 'Save_Story', 'Shorten', 'Unread_Stories'],
		]);
		for (const { description } of offered) assert.match(description, /in (Link Manager|News Reader)$/);

		const call = async (name: string, args: object): Promise<string> =>
			(await client.callTool({ name, arguments: args })).content.map(({ text }) => text).join('\n');
		const stories = await call('Unread_Stories', { limit: 2 });
		await call('Save_Story', { hash: valueIn(stories, 'hash'), tags: 'by MCP' });
		assert.ok((await starred()).some(({ user_tags: tags }) => String(tags) === 'by MCP'));
		const link = await call('Shorten', { url: 'https://example.com/mcp' });
		const clicked = await call('Link_Statistics', { shortUrl: valueIn(link, 'shortUrl') });
		assert.match(clicked, /example\.com\/mcp/);
		assert.match(await call('Find_Links', {}), /example\.com\/mcp/);
		await client.close();
	});
});
