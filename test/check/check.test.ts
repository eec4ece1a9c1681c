/** Tests `npm run check` against every variant of the sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { linkOperationsNotTried } from '../../cases/links.ts';
import { readerOperationsNotTried } from '../../cases/reader/index.ts';
import { check, type CheckResult } from '../../check/check.ts';
import { Host, type Account } from '../../check/host.ts';
import { operationsOf } from '../../check/operations.ts';
import { promptHidden } from '../../check/options.ts';
import { UnfinishedFile, type Report } from '../../check/report.ts';
import { CommandError } from '../../scripts/command.ts';
import { variants, type Variant } from '../../sandbox/shared/options.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import { clock, root } from '../support/nodes/built';
import { editBody, FakeHost } from '../support/hosts/fake-host';
import { LinkClient } from '../support/clients/link-client';
import { KEY } from '../support/nodes/link-node';
import { controls, ReaderClient } from '../support/clients/reader-client';
import { ManualClock } from '../support/clock';
import { PASSWORD, USER } from '../support/nodes/reader-node';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { engine } from '../support/nodes/suite-engine';

const PREFIX = 'n8n-nodes-newslink check';

const kinds = { contract: 'contract', wild: '2024', '2026': 'newer' };

/** `story.findByAddress`: newer servers search one feed per host, and all built-in feeds have the same host. */
const expectedFaults = {
	contract: [],
	wild: [],
	'2026': ['story.findByAddress: failed'],
};

let time: VirtualClock;

beforeAll(async () => {
	time = makeVirtual(clock);
});
afterAll(() => time.restore());

let sandbox: Sandbox;
let host: FakeHost;
let links: Account;
let reader: Account;
/** A feed that the account isn't subscribed to. */
let feed: string;

async function start(variant: Variant): Promise<void> {
	sandbox = await startSandbox({ port: 0, rateLimit: null, variant });
	host = await FakeHost.inFrontOf(sandbox.url);
	links = { service: 'linkManager', baseUrl: `${host.baseUrl}/links`, secret: KEY };
	reader = {
		service: 'newsReader',
		baseUrl: `${host.baseUrl}/reader-service`,
		username: USER,
		secret: PASSWORD,
	};
	feed = `${sandbox.url}/feeds/bitwright/rss.xml?copy`;
	const anonymous = new ReaderClient(sandbox.url, new ManualClock());
	await anonymous.control(controls.fetch);
}

async function stop(): Promise<void> {
	await sandbox.close();
}

const verdictsOf = ({ outcomes }: CheckResult) =>
	Object.fromEntries(outcomes.map(({ operation, verdict }) => [operation, verdict]));

/** The operations that fail, or whose output differs from the declared one. */
const faultsOf = ({ outcomes }: CheckResult): string[] =>
	outcomes
		.filter(({ verdict }) => verdict === 'failed' || verdict === 'works with a difference')
		.map(({ operation, verdict }) => `${operation}: ${verdict}`);

/** A message for each operation whose verdict `not tried` differs from the expected ones. */
const notTried = (verdicts: Record<string, string>, expected: string[]): string[] => {
	const actual = Object.keys(verdicts).filter((name) => verdicts[name] === 'not tried');
	return [
		...actual
			.filter((name) => !expected.includes(name))
			.map(
				(name) =>
					`${name} is not tried: if it reads, add its values to check/inputs.ts; if its write can be undone, add a step to its file in cases; if not, list it there in OperationsNotTried`,
			),
		...expected
			.filter((name) => !actual.includes(name))
			.map((name) => `${name} is tried: remove it from OperationsNotTried in its file in cases`),
	];
};

/** Records of the check that are still in the accounts. */
async function leftovers(): Promise<string[]> {
	const client = new LinkClient(sandbox.linksUrl);
	const lists = ['campaigns', 'channels', 'domains', 'pixels', 'urls', 'qr'];
	const found = await Promise.all(lists.map(async (list) => (await client.get(`/${list}?limit=100`)).data));
	const anonymous = new ReaderClient(sandbox.url, new ManualClock());
	const account = await anonymous.as(USER, PASSWORD);
	const { body } = await account.get('/reader/feeds');
	const shared = (await account.get('/social/load_user_profile')).body;
	const all = JSON.stringify([found, body, shared]).replaceAll('-', ' ');
	const marks = [PREFIX.replaceAll('-', ' '), '?copy'];
	return marks.filter((mark) => all.includes(mark));
}

describe.each(variants)('%s', (variant) => {
	beforeEach(() => start(variant));
	afterEach(stop);

	it('sends no writes without --write', async () => {
		const checked = [
			await check(new Host(engine, links), { write: false }),
			await check(new Host(engine, reader), { write: false }),
		];
		const writes = host.requests.filter(
			({ method, path }) => method !== 'GET' && !path.endsWith('/api/login'),
		);
		expect(writes).toEqual([]);
		expect(checked.flatMap(({ outcomes }) => outcomes.map(({ operation }) => operation))).toEqual(
			[...operationsOf.linkManager, ...operationsOf.newsReader].map(({ name }) => name),
		);
		const [ofLinks, ofReader] = checked.map(verdictsOf);
		expect(ofLinks).toMatchObject({ 'campaign.getAll': 'works', 'campaign.create': 'not tried' });
		expect(ofReader).toMatchObject({
			'feed.getAll': 'works',
			'story.getByHash': 'works',
			'feed.getFaviconsSeparately': variant === 'contract' ? 'works' : 'not offered',
			'feed.add': 'not tried',
		});
	});

	it('detects the kind of reader server by its responses, or reports it as unknown', async () => {
		const kindOf = async () => (await check(new Host(engine, reader), { write: false })).kind;
		expect(await kindOf()).toBe(kinds[variant]);
		host.respond = ({ path }) =>
			path.endsWith('/reader/feeds') ? { body: { feeds: [], folders: [], result: 'ok' } } : undefined;
		expect(await kindOf()).toBe('unknown');
	});

	it('creates, uses and removes its own records', async () => {
		const linkCheck = await check(new Host(engine, links), { write: true });
		expect(linkCheck.left).toEqual([]);
		// A host may return the account's own link for an address that it has already.
		for (const { body } of host.requestsTo('/url/add'))
			expect(body).toContain(`.com/${PREFIX.replace(' ', '-')}`);
		const read = await check(new Host(engine, reader), { write: true, feed });
		expect([...faultsOf(linkCheck), ...faultsOf(read)]).toEqual(expectedFaults[variant]);
		expect(notTried(verdictsOf(linkCheck), linkOperationsNotTried)).toEqual([]);
		expect(notTried(verdictsOf(read), readerOperationsNotTried)).toEqual([]);
		expect(read.left).toEqual([]);
		expect(await leftovers()).toEqual([]);
	});

	it('keeps stories that the account saved or shared before it left the feed', async () => {
		const account = await ReaderClient.logIn(sandbox.readerUrl, USER);
		const added = (await account.post('/reader/add_url', { url: feed })).body.feed as { id: number };
		const { stories } = (await account.get(`/reader/feed/${added.id}`)).body;
		const [first, second] = stories as Array<Record<'story_hash' | 'id', string>>;
		await account.post('/reader/mark_story_hash_as_starred', { ...first, user_tags: 'mine' });
		const share = { feed_id: added.id, story_id: second!.id, comments: 'Mine' };
		await account.post('/social/share_story', share);
		await account.post('/reader/delete_feed', { feed_id: added.id });
		const read = await check(new Host(engine, reader), { write: true, feed });
		expect(verdictsOf(read)).toMatchObject({ 'savedStory.unsave': 'works', 'share.delete': 'works' });
		const saved = await account.get(`/reader/starred_stories?h=${first!.story_hash}`);
		expect(saved.body.stories).toMatchObject([{ starred: true, user_tags: ['mine'] }]);
		await account.post('/reader/add_url', { url: feed });
		const listed = (await account.get(`/reader/feed/${added.id}?read_filter=all`)).body.stories;
		expect(listed).toContainEqual(expect.objectContaining({ id: second!.id, shared_comments: 'Mine' }));
	});
});

describe('a check', () => {
	beforeEach(() => start('wild'));
	afterEach(stop);

	it('runs the operations with the strictest limits first', async () => {
		await check(new Host(engine, reader), { write: false });
		const indexOf = (path: string): number =>
			host.requests.findIndex(({ line }) => line.startsWith(`GET ${path}`));
		expect(indexOf('/reader-service/social/rss/')).toBeGreaterThan(0);
		expect(indexOf('/reader-service/social/rss/')).toBeLessThan(indexOf('/reader-service/reader/feeds'));
	});

	it('removes its records after a failure, and if it is stopped', async () => {
		host.respond = ({ path }) => (/\/update$|rename_feed/.test(path) ? { status: 500 } : undefined);
		const failed = await check(new Host(engine, links), { write: true });
		expect(verdictsOf(failed)).toMatchObject({ 'campaign.update': 'failed', 'campaign.delete': 'works' });
		const read = await check(new Host(engine, reader), { write: true, feed });
		expect(verdictsOf(read)).toMatchObject({ 'feed.rename': 'failed', 'feed.delete': 'works' });
		host.reset();
		const controller = new AbortController();
		const aborted = await check(new Host(engine, links), {
			write: true,
			signal: controller.signal,
			onOutcome: ({ operation }) => operation === 'shortLink.create' && controller.abort(),
		});
		expect(verdictsOf(aborted)).toMatchObject({ 'shortLink.delete': 'works', 'pixel.create': 'not tried' });
		expect(await leftovers()).toEqual([]);
	});

	it('lists the records that it could not remove', async () => {
		host.respond = ({ line }) => (/^DELETE .*channel/.test(line) ? { status: 500 } : undefined);
		const { left } = await check(new Host(engine, links), { write: true });
		expect(left).toEqual([expect.stringMatching(/^channel\.delete of \{"channelId":\d+\} failed$/)]);
	});

	it('removes the other records if a creation is in doubt, or returns no ID', async () => {
		host.respond = async ({ path }, pass) => {
			if (path.endsWith('/channel/add')) await pass();
			if (path.endsWith('/channel/add')) return { status: 502 };
			if (!path.endsWith('/qr/add')) return undefined;
			return editBody(await pass(), (body) => body.replace(/"id":"?\d+"?,/, ''));
		};
		const { left } = await check(new Host(engine, links), { write: true });
		const search = `search for "${PREFIX} `;
		expect(left).toEqual([
			expect.stringContaining(`perhaps what channel.create made: ${search}`),
			expect.stringContaining(`qrCode.delete of {"qrCodeId":null} was not possible: ${search}`),
		]);
		const client = new LinkClient(sandbox.linksUrl);
		const named = async (list: string) =>
			JSON.stringify((await client.get(`/${list}`)).data)
				.toLowerCase()
				.includes(PREFIX);
		const all = ['campaigns', 'channels', 'pixels', 'urls', 'qr'];
		const found = await Promise.all(all.map(async (list) => ((await named(list)) ? [list] : [])));
		expect(found.flat()).toEqual(['channels', 'qr']);
	});

	it('reports the records of a killed check without --write', async () => {
		const unfinished = {
			name: `${PREFIX} 20260102030405`,
			removals: [{ operation: 'channel.delete', values: { channelId: 7 } }],
			creating: 'campaign.create',
		};
		const { left } = await check(new Host(engine, links), { write: false, unfinished });
		expect(left).toEqual([
			`an earlier check was killed during campaign.create: search for "${unfinished.name}"`,
			`"${unfinished.name}" of an earlier check: channel.delete of {"channelId":7} needs --write`,
		]);
		expect(host.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
	});

	it('skips operations that need a record that could not be created', async () => {
		host.respond = ({ path }) => (path.endsWith('/reader/add_url') ? { status: 500 } : undefined);
		const { outcomes } = await check(new Host(engine, reader), { write: true, feed });
		const failed = outcomes.filter(({ verdict }) => verdict === 'failed').map(({ operation }) => operation);
		expect(failed).toEqual(['feed.add']);
	});

	it('has nothing to remove after a check that could create nothing', async () => {
		const onChange = jest.fn();
		await check(new Host(engine, { ...reader, secret: 'another password' }), { write: true, onChange });
		expect(onChange.mock.lastCall).toEqual([{ name: expect.any(String) as string, removals: [] }]);
	});

	it('reports a refused login without double full stops', async () => {
		const wrongAccount = { ...reader, secret: 'another password' };
		const refused = check(new Host(engine, wrongAccount), { write: true, feed });
		await expect(refused).rejects.toThrow(/^The login to .*\.” Check the credential: .*[^.]\.$/);
	});

	it('refuses a feed to which the account is already subscribed', async () => {
		const known = `${sandbox.url}/feeds/bitwright/rss.xml`;
		await expect(check(new Host(engine, reader), { write: true, feed: known })).rejects.toThrow(
			`The account is subscribed to ${known} already`,
		);
		expect(host.requestsTo('/add_folder')).toEqual([]);
	});

	it('leaves a subscribed feed as it was if only its addition shows that the address leads to it', async () => {
		const account = await ReaderClient.logIn(sandbox.readerUrl, USER);
		const feeds = async () => {
			const { feeds: list, folders } = (await account.get('/reader/feeds')).body;
			const states = Object.values(list as object).map(
				({ id, feed_title, nt, active }: Record<string, unknown>) => ({
					...{ id, feed_title, nt, active },
				}),
			);
			return { states, folders };
		};
		const before = await feeds();
		const website = `${sandbox.url}/feeds/bitwright`;
		await expect(check(new Host(engine, reader), { write: true, feed: website })).rejects.toThrow(
			`The account is subscribed to ${website} already`,
		);
		expect(await feeds()).toEqual(before);
	});

	it('reports undeclared members, and the reason of a failure', async () => {
		host.respond = async ({ path }, passOn) => {
			if (path.includes('/api/account'))
				return editBody(await passOn(), (body) => body.replace('"email"', '"more":1,"email"'));
			if (path.includes('/api/overlay'))
				return { status: 401, body: { error: 1, message: `Not in your plan, ${KEY}.` } };
			return undefined;
		};
		const { outcomes } = await check(new Host(engine, links), { write: false });
		const outcomeOf = (name: string) => outcomes.find(({ operation }) => operation === name);
		expect(outcomeOf('account.get')).toMatchObject({
			verdict: 'works with a difference',
			details: ['undeclared: more'],
		});
		expect(outcomeOf('ctaOverlay.getAll')?.details[0]).toMatch(/Not in your plan.*\.” Check the API key/);
		expect(JSON.stringify(outcomes)).not.toContain(KEY);
	});
});

/** Starts `npm run check` without a terminal. */
const startCommand = (env: Record<string, string>, ...args: string[]) =>
	spawn(process.execPath, [join(root, 'check/main.ts'), '--no-build', ...args], {
		env: { PATH: process.env.PATH, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});

async function runCommand(
	env: Record<string, string>,
	...args: string[]
): Promise<{ code: number; output: string }> {
	const child = startCommand(env, ...args);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const [code] = (await once(child, 'close')) as [number];
	return { code, output };
}

interface Ended {
	/** The exit code; null after SIGKILL. */
	code: number | null;
	args: string[];
	/** The report, without its extension. */
	report: string;
	/** The channels that the host has, as JSON. */
	channels(): Promise<string>;
}

/** Ends a check that writes by a signal while it creates a QR code. */
async function checkEndedBy(signal: NodeJS.Signals, verify: (ended: Ended) => Promise<void>): Promise<void> {
	const sandbox = await startSandbox({ port: 0, rateLimit: null });
	const host = await FakeHost.inFrontOf(sandbox.url);
	const folder = mkdtempSync(join(tmpdir(), 'check-'));
	try {
		const report = join(folder, 'report');
		const args = ['--links', `${host.baseUrl}/links`, '--write', '--report', report];
		const child = startCommand({ LINKS_API_KEY: KEY }, ...args);
		host.respond = ({ path }) => void (path.includes('/qr/add') && child.kill(signal));
		const [code] = (await once(child, 'close')) as [number | null];
		host.reset();
		const client = new LinkClient(sandbox.linksUrl);
		const channels = async (): Promise<string> => JSON.stringify((await client.get('/channels')).data);
		await verify({ code, args, report, channels });
	} finally {
		await sandbox.close();
		rmSync(folder, { recursive: true });
	}
}

describe('the command', () => {
	it('prints and writes a report without secrets', async () => {
		const sandbox = await startSandbox({ port: 0, rateLimit: null, wild: ['token-scheme'] });
		const folder = mkdtempSync(join(tmpdir(), 'check-'));
		try {
			const report = join(folder, 'new', 'report');
			const { code, output } = await runCommand(
				{ LINKS_API_KEY: KEY },
				...['--links', sandbox.linksUrl, '--scheme', 'Token', '--report', report, '--title', 'A host'],
			);
			expect({ code, output }).toEqual({
				code: 0,
				output: expect.stringMatching(/^works +campaign\.getAll$/m) as string,
			});
			const written = ['md', 'json'].map((extension) => readFileSync(`${report}.${extension}`, 'utf8'));
			expect(written[0]).toContain('| campaign.getAll | works |');
			const { services } = JSON.parse(written[1]!) as Report;
			expect(services).toMatchObject([{ node: 'Link Manager', host: 'A host', left: [] }]);
			for (const text of [output, ...written]) expect(text).not.toContain(KEY);
		} finally {
			await sandbox.close();
			rmSync(folder, { recursive: true });
		}
	});

	it('fails if nothing works on a host, and still writes the report, without its address', async () => {
		const host = await FakeHost.start(() => ({ body: { error: 1, message: `No key of ${host.baseUrl}` } }));
		const folder = mkdtempSync(join(tmpdir(), 'check-'));
		try {
			const report = join(folder, 'report');
			const args = ['--links', host.baseUrl, '--report', report, '--title', 'A $& host'];
			const { code, output } = await runCommand({ LINKS_API_KEY: KEY }, ...args);
			expect({ code, output }).toEqual({ code: 1, output: expect.any(String) as string });
			expect(output).toMatch(/Nothing works for the Link Manager on A \$& host\.$/m);
			const written = ['md', 'json'].map((extension) => readFileSync(`${report}.${extension}`, 'utf8'));
			expect(written[0]).toMatch(/^\| account\.get \| failed \| .*“No key of http:\/\/A \$& host”/m);
			for (const text of written) expect(text).not.toContain('127.0.0.1');
			host.reset();
			const reader = ['--reader', 'http://127.0.0.1:1', '--user', 'ada', '--password', 'none'];
			await runCommand({ LINKS_API_KEY: KEY }, ...args, ...reader, '--write', '--feed', 'https://a.example/');
			expect(host.requests).toEqual([]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('fails after Ctrl+C, and removes its records first', async () => {
		await checkEndedBy('SIGINT', async ({ code, report, channels }) => {
			expect(code).toBe(1);
			expect(await channels()).not.toContain(PREFIX);
			expect(readFileSync(`${report}.md`, 'utf8')).toContain('The check was stopped before');
		});
	});

	it('removes the records of a killed check', async () => {
		await checkEndedBy('SIGKILL', async ({ report, channels, args }) => {
			expect(await channels()).toContain(PREFIX);
			const unfinished = readFileSync(`${report}.unfinished.json`, 'utf8');
			expect(unfinished).not.toContain(KEY);
			const [flag, url, ...others] = args as [string, string];
			const again = [flag, `${url}/`, ...others, '--title', 'A host'];
			const { code, output } = await runCommand({ LINKS_API_KEY: KEY }, ...again);
			expect({ code, output }).toEqual({ code: 0, output: expect.any(String) as string });
			expect(output).toContain('an earlier check was killed during qrCode.create: search for "');
			expect(await channels()).not.toContain(PREFIX);
			expect(existsSync(`${report}.unfinished.json`)).toBe(false);
		});
	});

	it('keeps the list of records if it is killed while it writes the list', () => {
		const report = join(mkdtempSync(join(tmpdir(), 'check-')), 'report');
		const unfinished = { name: PREFIX, removals: [], creating: 'channel.create' };
		new UnfinishedFile(report).set('account', unfinished);
		const write = fs.writeFileSync;
		jest.spyOn(fs, 'writeFileSync').mockImplementationOnce((path) => {
			write(path, '');
			throw new Error('killed');
		});
		const writing = () => new UnfinishedFile(report).set('account', { ...unfinished, creating: 'x' });
		expect(writing).toThrow('killed');
		expect(new UnfinishedFile(report).get('account')).toEqual(unfinished);
	});

	it.each([
		['Ctrl+C', '\u0003'],
		['Ctrl+D', '\u0004'],
	])('ends without a stack trace after %s instead of a secret', async (_, pressed) => {
		const input = new PassThrough();
		jest.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
		jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		const answer = promptHidden('API key: ');
		input.write(pressed);
		const error = await answer.catch((reason: unknown) => reason).finally(() => jest.restoreAllMocks());
		expect(error).toEqual(new CommandError('Nothing was checked.'));
		expect(error).toBeInstanceOf(CommandError);
	});

	it.each([
		[[], 'Name the host to check'],
		[['--links', 'example.com', '--key', 'k'], '"example.com" is not a web address'],
		[['--links', 'https://example.com'], 'LINKS_API_KEY'],
		[['--reader', 'https://example.com'], 'The user name is missing: --user'],
		[['--links', 'https://example.com', '--key', 'k', '--feed', 'https://a.example'], '--feed needs --write'],
	])('explains what is wrong with %j', async (args, message) => {
		const { code, output } = await runCommand({}, ...args);
		expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) as string });
		expect(output).toContain('See npm run check -- --help');
	});
});
