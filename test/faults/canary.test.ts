/** A service that repeats all that it hears: no secret of a credential leaves a run, whatever the operation. */
import type { RunResult } from '../../engine/index.ts';
import { withAnyHost } from '../support/any-host';
import type { Received, Reply } from '../support/host';
import * as links from '../support/link-samples';
import { linkManager, NODE as LINK_MANAGER, runNode } from '../support/link-node';
import { parametersFrom } from '../support/parameters';
import * as reader from '../support/reader-cases';
import { newsReader, NODE as NEWS_READER, runReader, sessionCredential } from '../support/reader-node';

const KEY = 'canary-key-1a2b';
const PASSWORD = 'canary pass/word 3c4d';
const SESSION = 'canary-session-5e6f';
const SPELLINGS = [
	PASSWORD,
	encodeURIComponent(PASSWORD),
	encodeURIComponent(PASSWORD).replaceAll('%20', '+'),
];

const world = withAnyHost();

/** What the service heard, and what a careless one may know besides. */
const echoOf = ({ headers, body, path }: Received): string =>
	[...Object.values(headers), body, decodeURIComponent(path), ...(headers.cookie ? SPELLINGS : [])].join(' ');

const entry = (echo: string) => ({
	id: 7,
	name: echo,
	story_hash: '42:a1b2c3',
	message: echo,
	code: -1,
	error: echo,
});

/** Ways to repeat something: in a refusal, in place of a list, beside a success, in records, in a page. */
const repetitions: Record<string, (echo: string) => Reply> = {
	refusal: (echo) => ({
		body: { error: 1, code: -1, message: echo, errors: { field: [echo] }, authenticated: true },
	}),
	objection: (echo) => ({ body: { error: 0, code: 1, authenticated: true, message: echo, text: echo } }),
	complaints: (echo) => ({
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

/** All that is left of a run. */
function remains(run: RunResult, node: string): string {
	const { error } = run;
	return JSON.stringify([run.runData, error, error?.message, error?.stack, error?.cause, run.hints(node)]);
}

const subjects = [
	...links.cases.map((of) => ({
		...of,
		node: LINK_MANAGER,
		form: links.wholeSample(of, 'filled').form,
		fixed: {},
	})),
	...reader.cases.map((of) => ({ ...of, node: NEWS_READER, form: of.item(0, 'wild').form })),
];

it.each(subjects.map((of, nth) => [`${of.resource}.${of.operation}`, { ...of, nth }] as const))(
	'%s',
	async (_, { nth, node, form, fixed, ...of }) => {
		const { description } = world.engine.nodeType(node);
		const fromItems = parametersFrom(description, of, Object.keys(form), { dataSource: 'json' });
		const parameters = { ...fromItems, ...fixed };
		const account = { baseUrl: world.host.baseUrl, apiKey: KEY };
		const credentials = sessionCredential(world.host.baseUrl, { password: PASSWORD, sessionToken: SESSION });
		for (const [index, repeat] of Object.values(repetitions).entries()) {
			// Every operation meets half of them, each kind every second operation.
			if ((index + nth) % 2 === 0) continue;
			world.host.answer = (received) => repeat(echoOf(received));
			const onError = index < 3 ? 'continueRegularOutput' : 'stopWorkflow';
			const run =
				node === LINK_MANAGER
					? await runNode(world.engine, account, parameters, [{ form }], { onError })
					: await runReader(world.engine, parameters, [{ form }], { onError, credentials });
			const { name } = node === LINK_MANAGER ? linkManager({}) : newsReader({});
			const left = remains(run, name);
			expect([KEY, SESSION, ...SPELLINGS].filter((canary) => left.includes(canary))).toEqual([]);
		}
	},
);
