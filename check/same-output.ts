/**
 * `npm run check:same`: runs each operation of the reader and polls each event on a real server and on the sandbox, with
 * the same feeds, and compares what the nodes return, apart from ids and times.
 */
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { createEngine, type Engine } from '../engine/index.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { runCommand, UsageError } from '../scripts/command.ts';
import { Host } from './host.ts';
import { ReaderAccount, type Account } from './reader-account.ts';

const events = [
	'newUnreadStory',
	'feedBroken',
	'newActivity',
	'newInteraction',
	'newSavedStory',
	'newSharedStory',
	'savedSearchMatch',
	'unreadCountReached',
];

/** What the nodes return, by operation or event; one entry for each run. */
type Outputs = Map<string, unknown[]>;

/** Runs everything with an account without feeds. `feeds` are the addresses of two feeds that both hosts can fetch. */
async function outputsOf(account: Account, feeds: [string, string]): Promise<Outputs> {
	const outputs: Outputs = new Map();
	const add = (name: string, records: IDataObject[]) => {
		const own = outputs.get(name) ?? [];
		outputs.set(name, [...own, records.map((record) => comparable(record, new URL(account.baseUrl).origin))]);
	};
	const reader = new ReaderAccount(account);
	const run = async (name: string, parameters: object) => {
		const records = await reader.run(name, parameters);
		add(name, records);
		return records[0] ?? {};
	};
	if ((await reader.run('feed.getAll', { limit: 1 })).length > 0)
		throw new UsageError(`The account on ${account.baseUrl} has feeds: use one without.`);
	const [known, ofCheck] = feeds;
	const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
	const { id } = await run('feed.add', { feedUrl: known });
	const { hash } = await run('story.getAll', { feedId: byId(id) });
	await run('savedStory.save', { storyHash: hash, additionalFields: { userTags: ['same'] } });
	await run('share.create', { storyId: byId(hash), feedId: byId(id), comment: 'Same' });
	await run('savedSearch.create', { feedId: byId(id), savedQuery: 'a' });
	for (const event of events) {
		const parameters = { event, firstPoll: 'all', ...(event === 'unreadCountReached' && { threshold: 1 }) };
		add(
			event,
			await reader.poll(event, parameters, true).catch((error: Error) => [{ error: error.message }]),
		);
	}
	const { check } = await import('./check.ts');
	const { engine, baseUrl, username, password: secret } = account;
	const host = new Host(engine, { service: 'newsReader', baseUrl, username, secret });
	await check(host, { write: true, feed: ofCheck, onRecords: add });
	await run('share.delete', { storyId: byId(hash), feedId: byId(id) });
	await run('savedStory.unsave', { storyHash: hash });
	await run('savedSearch.delete', { feedId: byId(id), savedQuery: 'a' });
	await run('feed.delete', { feedId: byId(id) });
	return outputs;
}

const ID_OR_TIME = /^id$|ids?$|hash|date|time|until|update|_at$|At$/i;
/** Addresses and names that a host makes for its users. */
const OF_HOST = /^source$|photo|picture|^sharePage$|^shareFeed$|page_url|feed_address|feed_link|fileName/i;

/** A value without ids, times and the address of the host. */
function comparable(value: unknown, origin: string, name = ''): unknown {
	if (Array.isArray(value)) return value.map((entry) => comparable(entry, origin, name));
	if (typeof value === 'object' && value !== null) {
		const members = Object.entries(value).filter(([, member]) => member !== undefined);
		return Object.fromEntries(
			members.map(([key, member]) => [/^\d+$/.test(key) ? '<id>' : key, comparable(member, origin, key)]),
		);
	}
	if (value !== null && (ID_OR_TIME.test(name) || OF_HOST.test(name))) return `<${typeof value}>`;
	return typeof value === 'string'
		? value
				.replaceAll(origin, '<host>')
				.replace(/\d+:[\da-f]{6}/g, '<hash>')
				.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?|\d{14}/g, '<time>')
		: value;
}

/** The places where two values differ, each with both values. */
function differences(left: unknown, right: unknown, place = ''): string[] {
	if (JSON.stringify(left) === JSON.stringify(right)) return [];
	const isParent = (value: unknown): value is object => typeof value === 'object' && value !== null;
	if (!isParent(left) || !isParent(right)) {
		return [`${place}: ${shortened(left)} on the server, ${shortened(right)} in the sandbox`];
	}
	const [ours, theirs] = [left, right] as Array<Record<string, unknown>>;
	const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
	return [...keys].flatMap((key) => differences(ours?.[key], theirs?.[key], `${place}.${key}`));
}

const shortened = (value: unknown): string => String(JSON.stringify(value)).slice(0, 160);

/** An account of a new sandbox, without feeds. */
async function sandboxAccount(engine: Engine, url: string, username: string): Promise<Account> {
	const baseUrl = `${url}/reader-service`;
	const password = 'same-output';
	const body = new URLSearchParams({ username, password, email: `${username}@example.com` });
	await fetch(`${baseUrl}/api/signup`, { method: 'POST', body });
	return { engine, baseUrl, username, password };
}

await runCommand(
	{
		name: 'npm run check:same',
		description:
			'Compares what the reader’s nodes return on a real server and on the sandbox, apart from ids and times.',
		options: {
			url: { value: 'URL', help: 'the address of the server' },
			user: { value: 'NAME', help: 'the name of a test account without feeds, with the premium plan' },
			password: { value: 'TEXT', default: '', help: 'its password; empty if it has none' },
			feeds: {
				value: 'URL,URL',
				help: 'the addresses of two feeds that the server and this machine can fetch',
			},
		},
		needsBuild: true,
	},
	async ({ url, user, password, feeds: given = '' }) => {
		const [known, ofCheck] = given.split(',');
		if (!url || !user || !known || !ofCheck)
			throw new UsageError('--url, --user and two --feeds are needed.');
		const engine = await createEngine({ packageDirs: [join(import.meta.dirname, '..')] });
		const sandbox = await startSandbox({ port: 0, variant: 'wild', allowPrivate: true, rateLimit: null });
		try {
			const real = await outputsOf({ engine, baseUrl: url, username: user, password }, [known, ofCheck]);
			const account = await sandboxAccount(engine, sandbox.url, user);
			const own = await outputsOf(account, [known, ofCheck]);
			let same = 0;
			for (const name of new Set([...real.keys(), ...own.keys()])) {
				const found = differences(real.get(name), own.get(name), name);
				if (found.length === 0) same += 1;
				for (const difference of found.slice(0, 5)) console.log(difference);
				if (found.length > 5) console.log(`${name}: and ${found.length - 5} more`);
			}
			console.log(`\n${same} of ${real.size} operations and events return the same.`);
		} finally {
			await sandbox.close();
			await engine.close();
		}
	},
);
