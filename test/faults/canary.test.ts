/**
 * Tests that no message of a run, poll or credential test shows a secret, even if the service repeats everything that it
 * receives. Records are not searched for secrets: they are returned as the service sends them.
 */
import type { RunResult } from '../../engine/index.ts';
import { useFakeHost } from '../support/hosts/use-fake-host';
import type { HostRequest, Reply } from '../support/hosts/fake-host';
import { credentialsFor, linkManager, NODE as LINK_MANAGER, runNode } from '../support/nodes/link-node';
import { parametersFrom } from '../support/cases/parameters';
import {
	newsReader,
	oAuth2Credential,
	runReader,
	sessionCredential,
	NODE as NEWS_READER,
} from '../support/nodes/reader-node';
import { captureLogs } from '../support/nodes/logs';
import { TriggerRun } from '../support/triggers/trigger-run';
import * as links from '../support/cases/link-samples';
import * as reader from '../support/cases/reader-rows';

const KEY = 'canary-key-1a2b';
const PASSWORD = 'canary pass/word 3c4d';
const SESSION = 'canary-session-5e6f';
const SPELLINGS = [
	PASSWORD,
	encodeURIComponent(PASSWORD),
	encodeURIComponent(PASSWORD).replaceAll('%20', '+'),
];

const TOKENS = { access_token: 'canary-access-7a8b', refresh_token: 'canary-refresh-9c0d' };
const CANARIES = [KEY, SESSION, ...SPELLINGS, ...Object.values(TOKENS)];
/** The canaries in a text. */
const canariesIn = (text: string): string[] => CANARIES.filter((canary) => text.includes(canary));

/** Valid parameters for each operation of both nodes. */
const allCases = [
	...links.cases.map((testCase) => ({
		...testCase,
		node: LINK_MANAGER,
		form: links.completeSample(testCase, 'filled').form,
		fixed: {},
	})),
	...reader.cases.map((testCase) => ({
		...testCase,
		node: NEWS_READER,
		form: testCase.item(0, 'wild').form,
	})),
];

const world = useFakeHost();
const logged = captureLogs();
beforeEach(() => void logged.splice(0));

/** What the service received, and the password that it may know. */
const echoOf = ({ headers, body, url }: HostRequest): string =>
	[...Object.values(headers), body, decodeURIComponent(url), ...(headers.cookie ? SPELLINGS : [])].join(' ');

const entry = (echo: string) => ({
	id: 7,
	name: echo,
	story_hash: '42:a1b2c3',
	message: echo,
	code: -1,
	error: echo,
});

/** Replies that repeat a secret, by the part of the reply. */
const echoReplies: Record<string, (echo: string) => Reply> = {
	refusal: (echo) => ({
		body: { error: 1, code: -1, message: echo, errors: { field: [echo] }, authenticated: true },
	}),
	'success message': (echo) => ({
		body: { error: 0, code: 1, authenticated: true, message: echo, text: echo },
	}),
	'partial errors': (echo) => ({
		body: { error: 0, code: 1, authenticated: true, errors: [`42 ${echo}`], messages: [entry(echo)] },
	}),
	records: (echo) => ({
		body: {
			...{
				error: 0,
				code: 1,
				authenticated: true,
				id: 7,
				message: echo,
				details: entry(echo),
				stories: [entry(echo)],
			},
			data: { ...entry(echo), urls: [entry(echo)], campaigns: [entry(echo)], maxpage: 1 },
			feeds: { 42: entry(echo) },
		},
	}),
	page: (echo) => ({ status: 500, headers: { 'content-type': 'text/html' }, body: `<p>${echo}</p>` }),
	text: (echo) => ({ status: 404, body: echo }),
};

/** Whether an output item stands for a failure and is no record of the service. */
const isFailed = (item: object): boolean =>
	'error' in item && Object.keys(item).every((key) => ['error', 'message', 'details'].includes(key));

/** Everything that n8n stores or shows of a run, except records. */
function traceOf(run: RunResult, node: string): string {
	const { error } = run;
	const failed = run.json(node).filter(isFailed);
	return JSON.stringify([failed, error, error?.message, error?.stack, error?.cause, run.hints(node)]);
}

it.each(
	allCases.map(
		(testCase, nth) => [`${testCase.resource}.${testCase.operation}`, { ...testCase, nth }] as const,
	),
)('%s', async (_, { nth, node, form, fixed, ...testCase }) => {
	const { description } = world.engine.nodeType(node);
	const fromItems = parametersFrom(description, testCase, Object.keys(form), { dataSource: 'json' });
	const parameters = { ...fromItems, ...fixed };
	const account = { baseUrl: world.host.baseUrl, apiKey: KEY };
	const credentials = sessionCredential(world.host.baseUrl, { password: PASSWORD, sessionToken: SESSION });
	for (const [index, repeat] of Object.values(echoReplies).entries()) {
		// Each operation is tested with half of the replies, alternating.
		if ((index + nth) % 2 === 0) continue;
		world.host.respond = (received) => repeat(echoOf(received));
		const onError = index < 3 ? 'continueRegularOutput' : 'stopWorkflow';
		const run =
			node === LINK_MANAGER
				? await runNode(world.engine, account, parameters, [{ form }], { onError })
				: await runReader(world.engine, parameters, [{ form }], { onError, credentials });
		const { name } = node === LINK_MANAGER ? linkManager({}) : newsReader({});
		const trace = traceOf(run, name);
		expect(canariesIn(trace)).toEqual([]);
	}
	expect(canariesIn(JSON.stringify(logged))).toEqual([]);
});

const credentials = () => ({
	key: credentialsFor({ baseUrl: world.host.baseUrl, apiKey: KEY }),
	session: sessionCredential(world.host.baseUrl, { password: PASSWORD, sessionToken: '' }),
	'stored session': sessionCredential(world.host.baseUrl, { password: PASSWORD, sessionToken: SESSION }),
	oAuth2: oAuth2Credential(world.host.baseUrl, TOKENS),
});

it.each(['key', 'session', 'stored session', 'oAuth2'] as const)(
	'the test of the credential: %s',
	async (name) => {
		for (const repeat of Object.values(echoReplies)) {
			world.host.respond = (received) => repeat(echoOf(received));
			const credential = credentials()[name];
			world.engine.credentials.setAll(credential);
			const result = await world.engine.testCredential(Object.keys(credential)[0]!);
			expect(canariesIn(JSON.stringify([result, logged]))).toEqual([]);
		}
	},
);

const triggers = [
	['linkManagerTrigger', 'newCampaign', 'key', { linkManagerApi: { id: 'key', name: 'key' } }, {}],
	[
		'newsReaderTrigger',
		'newSavedStory',
		'stored session',
		{ newsReaderSessionApi: { id: 'session', name: 'session' } },
		{ authentication: 'session' },
	],
	[
		'newsReaderTrigger',
		'newSavedStory',
		'oAuth2',
		{ newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } },
		{ authentication: 'oAuth2' },
	],
] as const;

it.each(triggers)('the polls of %s, %s, by %s', async (type, event, name, used, more) => {
	const node = {
		type: `n8n-nodes-newslink.${type}`,
		parameters: { event, ...more },
		credentials: used,
	};
	const failures: unknown[] = [];
	for (const status of [200, 503]) {
		for (const [kind, repeat] of Object.entries(echoReplies)) {
			world.host.respond = (received) => ({ ...repeat(echoOf(received)), status });
			const namedNode = { ...node, name: `${kind} with ${status}` };
			const run = new TriggerRun(world.engine, namedNode, credentials()[name]);
			const result = await run.activate().catch((error: Error) => {
				failures.push(error);
				return [error, error.message, error.stack];
			});
			expect(canariesIn(JSON.stringify([result, run.inDatabase, run.inMemory, logged]))).toEqual([]);
		}
	}
	expect([...logged, ...failures]).not.toEqual([]);
});
