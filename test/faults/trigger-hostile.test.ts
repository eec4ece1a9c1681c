/** Tests all events with corrupted responses: no poll throws an unexpected error, and new entries are still emitted once. */
import fc from 'fast-check';
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { PollApi } from '../../nodes/runtime/poll/poll';
import { readState, serialize, type State } from '../../nodes/runtime/poll/state';
import { step } from '../../nodes/runtime/poll/step';
import { clock } from '../../nodes/runtime/clock';
import { Client } from '../../nodes/runtime/transport/client';
import { expectClearError } from '../support/hosts/any-reply';
import { propertyOptions } from '../support/cases/random';
import { contextOf } from '../support/hosts/service-context';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { cases, type Case } from './trigger-hostile-cases';

/** A placeholder for arrays that are nested so deeply that recursion would overflow the stack. */
const DEEP = '@deep@';
const LEVELS = 20_000;

const HOSTILE: Array<[string, unknown]> = [
	['null', null],
	['a number', -7],
	['a huge number', 9e15],
	['a number beyond all dates', 1e308],
	['true', true],
	['a text', 'a:b;c#%\ud800'],
	['a blank text', ''],
	['invisible characters', '\u0000\u202e\ufeff\u200b'],
	['a date that does not exist', '0000-00-00 00:00:00'],
	['the digits of a huge number', '123456789012345678901234567890'],
	['an array', [[], {}, null]],
	['an object', { constructor: 1 }],
	['an object that cannot be converted', { toString: 1, valueOf: 1, toJSON: 1 }],
	['an array-like object', { length: 1e9, 0: 'a' }],
	['a prototype', JSON.parse('{"__proto__": {"a": 1}}')],
	['nested arrays', DEEP],
	['open tags', '<b>'.repeat(100_000)],
];

/** The keys that lead to a member of a JSON value. */
type Path = string[];

const pathsOf = (value: unknown, path: Path = []): Path[] =>
	typeof value !== 'object' || value === null
		? [path]
		: [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];

/** A copy of a JSON value in which the member at the path is replaced, or removed if `hostile` is undefined. */
function replaceMember(value: unknown, [name, ...rest]: Path, hostile: unknown): unknown {
	if (name === undefined) return hostile;
	const copy = structuredClone(value) as Record<string, unknown>;
	const member = replaceMember(copy[name], rest, hostile);
	if (member === undefined && !Array.isArray(copy)) delete copy[name];
	else copy[name] = member ?? null;
	return copy;
}

/** Returns the replacement of a response: a JSON value, or text that is sent unchanged. */
type Corruption = (response: unknown) => unknown;

/** Corruptions of a response: one member is replaced or removed, or the text is truncated. */
const anyCorruption = (usual: unknown): fc.Arbitrary<{ description: string; corrupt: Corruption }> => {
	const text = JSON.stringify(usual);
	const hostile = fc.constantFrom<[string, unknown]>(...HOSTILE, ['missing', undefined]);
	return fc.oneof(
		{
			weight: 1,
			arbitrary: fc
				.nat(text.length - 1)
				.map((at) => ({ description: `truncated at ${at}`, corrupt: () => text.slice(0, at) })),
		},
		{
			weight: 9,
			arbitrary: fc.tuple(fc.constantFrom(...pathsOf(usual)), hostile).map(([path, [name, value]]) => ({
				description: `${path.join('.')} is ${name}`,
				corrupt: (same: unknown) => replaceMember(same, path, value) ?? {},
			})),
		},
	);
};

let hosts = 0;

class Polls {
	records: unknown[] = [];
	/** The corruptions of the next responses, in order. */
	corruptions: Corruption[] = [];
	/** The responses of the last poll, before they were corrupted. */
	responses: unknown[] = [];
	private saved: unknown;
	private readonly account = { baseUrl: `https://host-${(hosts += 1)}.test`, username: 'reader' };

	constructor(private readonly subject: Case) {}

	/** Polls once, returns the event ids, and saves the state as n8n does. */
	async poll(): Promise<string[]> {
		const { watch, service, respond: response } = this.subject;
		this.responses = [];
		const { context } = contextOf(({ method, url }) => {
			const query: Record<string, unknown> = {};
			for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
			const request = { method, path: url.pathname, query } as ApiRequest;
			const usual = response(request, this.records);
			this.responses.push(usual);
			const corrupt = this.corruptions.shift() ?? ((same) => same);
			const sent = corrupt(usual);
			return { body: typeof sent === 'string' ? sent : stringify(sent) };
		}, this.account);
		const client = new Client(context, service, { maxWaitMs: 60_000 });
		const asker = { advice: '', hint: () => undefined };
		const api = new PollApi(client, asker, Infinity);
		const settings = {
			...{ key: '', account: '', host: '' },
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

/** Polls until all new entries are emitted, which takes a few polls after the last corrupted response. */
async function pollUntilDone(polls: Polls): Promise<string[]> {
	const emitted: string[] = [];
	for (let count = 0; count < 6; count += 1) emitted.push(...(await polls.poll()));
	return emitted;
}

describe.each(Object.entries(cases))('%s', (_, subject) => {
	const fields = Object.keys(subject.record(1));

	it.each(HOSTILE)('emits later records if a member of a record is %s', async (__, hostile) => {
		for (const field of [...fields, undefined]) {
			const polls = new Polls(subject);
			polls.records = [subject.record(1)];
			await polls.poll();
			const corrupted = field === undefined ? hostile : { ...subject.record(2), [field]: hostile };
			polls.records = [subject.record(1), corrupted, subject.record(3)];
			const emitted = await pollUntilDone(polls);
			expect([field, emitted.some((id) => id.includes(subject.id(3)))]).toEqual([field, true]);
			expect(new Set(emitted).size).toBe(emitted.length);
		}
	});

	/** A trigger that has seen the first record; two more are new. */
	async function startPolls(): Promise<Polls> {
		const polls = new Polls(subject);
		polls.records = [subject.record(1)];
		await polls.poll();
		polls.records = [1, 2, 3].map((number) => subject.record(number));
		return polls;
	}

	it('recovers from a corrupted response', async () => {
		const plain = await startPolls();
		await plain.poll();
		const usual = plain.responses.map((response) => JSON.parse(JSON.stringify(response)) as unknown);
		const anyResponse = fc
			.nat(usual.length - 1)
			.chain((index) => anyCorruption(usual[index]).map((corruption) => ({ index, ...corruption })));
		await fc.assert(
			fc.asyncProperty(anyResponse, async ({ index, corrupt }) => {
				const polls = await startPolls();
				polls.corruptions = [...Array.from({ length: index }, () => (same: unknown) => same), corrupt];
				const emitted = await polls.poll().catch((error: Error): string[] => {
					expectClearError(error);
					return [];
				});
				polls.corruptions = [];
				emitted.push(...(await pollUntilDone(polls)));
				polls.records = [subject.record(1)];
				emitted.push(...(await polls.poll()));
				polls.records = [1, 2, 3, 4].map((number) => subject.record(number));
				const later = await pollUntilDone(polls);
				expect(later.some((id) => id.includes(subject.id(4)))).toBe(true);
				expect(new Set([...emitted, ...later]).size).toBe(emitted.length + later.length);
			}),
			{ ...propertyOptions(40), endOnFailure: true },
		);
	});
});
