/** Responses in which anything may be wrong: no poll breaks, and new entries are still emitted once. */
import fc from 'fast-check';
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { PollApi } from '../../nodes/runtime/poll/poll';
import { readState, serialize, type State } from '../../nodes/runtime/poll/state';
import { step } from '../../nodes/runtime/poll/step';
import { clock } from '../../nodes/runtime/clock';
import { Client } from '../../nodes/runtime/transport/client';
import { expectClearError } from '../support/hosts/any-reply';
import { draws } from '../support/cases/random';
import { contextOf } from '../support/hosts/service-context';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { cases, type Case } from './trigger-hostile-cases';

/** A placeholder for nested lists, which only JSON can contain: so deep that recursion would overflow the stack. */
const DEEP = '@deep@';
const LEVELS = 20_000;

const HOSTILE: Array<[string, unknown]> = [
	['null', null],
	['a number', -7],
	['a huge number', 9e15],
	['a number that is none', 1e308],
	['true', true],
	['a text', 'a:b;c#%\ud800'],
	['a blank text', ''],
	['signs that nobody sees', '\u0000\u202e\ufeff\u200b'],
	['a date that there is not', '0000-00-00 00:00:00'],
	['the digits of a huge number', '123456789012345678901234567890'],
	['a list', [[], {}, null]],
	['an object', { constructor: 1 }],
	['an object that is no text', { toString: 1, valueOf: 1, toJSON: 1 }],
	['an object like a list', { length: 1e9, 0: 'a' }],
	['a prototype', JSON.parse('{"__proto__": {"a": 1}}')],
	['lists in each other', DEEP],
	['open tags', '<b>'.repeat(100_000)],
];

/** Members of a JSON value, by the names that lead to them. */
type Path = string[];

const pathsOf = (value: unknown, path: Path = []): Path[] =>
	typeof value !== 'object' || value === null
		? [path]
		: [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];

/** The same JSON value with something else in one place; without it where that is undefined. */
function spoiled(value: unknown, [name, ...rest]: Path, hostile: unknown): unknown {
	if (name === undefined) return hostile;
	const copy = structuredClone(value) as Record<string, unknown>;
	const member = spoiled(copy[name], rest, hostile);
	if (member === undefined && !Array.isArray(copy)) delete copy[name];
	else copy[name] = member ?? null;
	return copy;
}

/** What replaces an answer: another JSON value, or a text as it is. */
type Spoil = (response: unknown) => unknown;

/** Answers with one member that is something else, or missing; or answers that are cut. */
const anySpoil = (usual: unknown): fc.Arbitrary<{ what: string; spoil: Spoil }> => {
	const text = JSON.stringify(usual);
	const hostile = fc.constantFrom<[string, unknown]>(...HOSTILE, ['missing', undefined]);
	return fc.oneof(
		{
			weight: 1,
			arbitrary: fc
				.nat(text.length - 1)
				.map((at) => ({ what: `cut at ${at}`, spoil: () => text.slice(0, at) })),
		},
		{
			weight: 9,
			arbitrary: fc.tuple(fc.constantFrom(...pathsOf(usual)), hostile).map(([path, [name, value]]) => ({
				what: `${path.join('.')} is ${name}`,
				spoil: (same: unknown) => spoiled(same, path, value) ?? {},
			})),
		},
	);
};

let hosts = 0;

class Polls {
	records: unknown[] = [];
	/** What replaces the answers of the next requests, in their order. */
	spoils: Spoil[] = [];
	/** What the last poll's requests were answered, before it was spoilt. */
	reply: unknown[] = [];
	private saved: unknown;
	private readonly account = { baseUrl: `https://host-${(hosts += 1)}.test`, username: 'reader' };

	constructor(private readonly subject: Case) {}

	/** Polls once, returns the event ids, and saves the state as n8n does. */
	async poll(): Promise<string[]> {
		const { watch, service, respond: response } = this.subject;
		this.reply = [];
		const { context } = contextOf(({ method, url }) => {
			const query: Record<string, unknown> = {};
			for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
			const request = { method, path: url.pathname, query } as ApiRequest;
			const usual = response(request, this.records);
			this.reply.push(usual);
			const spoil = this.spoils.shift() ?? ((same) => same);
			const emitted = spoil(usual);
			return { body: typeof emitted === 'string' ? emitted : stringify(emitted) };
		}, this.account);
		const client = new Client(context, service, { maxWaitMs: 60_000 });
		const asker = { advice: '', hint: () => undefined };
		const api = new PollApi(client, asker, Infinity);
		const settings = {
			key: '',
			firstPoll: 'nothing',
			firstCount: 1,
			maximum: 50,
			reemitWithinMs: 0,
		} as const;
		const now = clock.now();
		const moment = { now, instance: 'a', startedAt: 0, isFirstPoll: false, isTakeover: false };
		const read = readState(this.saved);
		if (read === 'broken') throw new Error('The state is broken');
		const state: State | undefined = read === 'none' ? undefined : read.state;
		const next = await step({ watch, settings, api, moment }, state);
		this.saved = JSON.parse(JSON.stringify(serialize(next.state)));
		expect(watch.parseCursor((readState(this.saved) as { state: State }).state.cursor)).toBeDefined();
		return next.items.map(({ json }) => String(json.eventId));
	}
}

const stringify = (value: unknown): string =>
	JSON.stringify(value).replaceAll(`"${DEEP}"`, `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`);

let time: VirtualClock;
beforeEach(() => {
	time = makeVirtual(clock);
});
afterEach(() => time.restore());

/** Polls until everything new was emitted, which takes a few polls once the responses are right. */
async function rest(polls: Polls): Promise<string[]> {
	const emitted: string[] = [];
	for (let count = 0; count < 6; count += 1) emitted.push(...(await polls.poll()));
	return emitted;
}

describe.each(Object.entries(cases))('%s', (_, subject) => {
	const fields = Object.keys(subject.record(1));

	it.each(HOSTILE)('is not stopped by a record with any member %s', async (__, hostile) => {
		for (const field of [...fields, undefined]) {
			const polls = new Polls(subject);
			polls.records = [subject.record(1)];
			await polls.poll();
			const odd = field === undefined ? hostile : { ...subject.record(2), [field]: hostile };
			polls.records = [subject.record(1), odd, subject.record(3)];
			const emitted = await rest(polls);
			expect([field, emitted.some((id) => id.includes(subject.id(3)))]).toEqual([field, true]);
			expect(new Set(emitted).size).toBe(emitted.length);
		}
	});

	/** A trigger that knows the first record, and meets two more. */
	async function watching(): Promise<Polls> {
		const polls = new Polls(subject);
		polls.records = [subject.record(1)];
		await polls.poll();
		polls.records = [1, 2, 3].map((number) => subject.record(number));
		return polls;
	}

	it('is not broken by a response with arbitrary members', async () => {
		const calm = await watching();
		await calm.poll();
		const usual = calm.reply.map((response) => JSON.parse(JSON.stringify(response)) as unknown);
		const anywhere = fc
			.nat(usual.length - 1)
			.chain((place) => anySpoil(usual[place]).map((one) => ({ place, ...one })));
		await fc.assert(
			fc.asyncProperty(anywhere, async ({ place, spoil }) => {
				const polls = await watching();
				polls.spoils = [...Array.from({ length: place }, () => (same: unknown) => same), spoil];
				const emitted = await polls.poll().catch((error: Error): string[] => {
					expectClearError(error);
					return [];
				});
				polls.spoils = [];
				emitted.push(...(await rest(polls)));
				polls.records = [subject.record(1)];
				emitted.push(...(await polls.poll()));
				polls.records = [1, 2, 3, 4].map((number) => subject.record(number));
				const later = await rest(polls);
				expect(later.some((id) => id.includes(subject.id(4)))).toBe(true);
				expect(new Set([...emitted, ...later]).size).toBe(emitted.length + later.length);
			}),
			{ ...draws(40), endOnFailure: true },
		);
	});
});
