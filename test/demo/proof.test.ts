/** Tests that the demo detects workflows that do not do what it demonstrates. */
import { createEngine, type Engine, type NodeJson, type WorkflowJson } from '../../engine/index.ts';
import { CommandError } from '../../scripts/command.ts';
import { demonstrateFeedToShare } from '../../demo/feed-to-share.ts';
import { ReaderAccount } from '../../demo/reader-account.ts';
import { readWorkflow } from '../../demo/workflows.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import { root } from '../support/nodes/built';

let engine: Engine;
beforeAll(async () => {
	jest.spyOn(console, 'log').mockImplementation();
	engine = await createEngine({ packageDirs: [root] });
});

let sandbox: Sandbox;
let account: ReaderAccount;
beforeEach(async () => {
	sandbox = await startSandbox({ port: 0, rateLimit: null });
	const { linksUrl, readerUrl } = sandbox;
	const user = { username: 'reader', password: 'sandbox-password' };
	engine.credentials.setAll({
		linkManagerSandbox: { type: 'linkManagerApi', data: { baseUrl: linksUrl, apiKey: 'sandbox-api-key' } },
		newsReaderSandbox: { type: 'newsReaderSessionApi', data: { baseUrl: readerUrl, ...user } },
	});
	account = await ReaderAccount.logIn(readerUrl, user.username, user.password);
});
afterEach(() => sandbox.close());

/** A copy of the workflow with other parameters in one node. */
function withParameters(workflow: WorkflowJson, name: string, parameters: object): WorkflowJson {
	const change = (node: NodeJson): NodeJson =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node;
	return { ...workflow, nodes: workflow.nodes.map(change) };
}

const onTopicFirst = "={{ $('On Topic').first().json.permalink }}";

describe('the check of feed-to-share rejects a workflow that', () => {
	it.each<[string, string, object, RegExp]>([
		['saves without tags', 'Save', { additionalFields: {} }, /is not saved with tags/],
		['shares without a short URL', 'Share', { comment: 'Look' }, /is not shared with a short URL/],
		[
			'confuses its items',
			'Short Link',
			{ url: onTopicFirst },
			/leads to http.* not to http.* with UTM tags/,
		],
		['leaves stories unread', 'Mark as Read', { operation: 'markUnread' }, /is not read/],
	])('%s', async (_, node, parameters, message) => {
		const workflow = withParameters(await readWorkflow('feed-to-share'), node, parameters);
		const demonstration = demonstrateFeedToShare({ engine, workflow, account, origin: sandbox.url });
		await expect(demonstration).rejects.toThrow(message);
		await expect(demonstration).rejects.toBeInstanceOf(CommandError);
	});
});
