/** Tests all events with corrupted responses: no poll throws an unexpected error, and new entries are still emitted once. */
import fc from 'fast-check';
import { expectClearError } from '../support/hosts/any-reply';
import { editBody } from '../support/hosts/fake-host';
import { propertyOptions } from '../support/cases/random';
import { eventIdsOf, holdTime } from '../support/triggers/trigger-run';
import { eventNames, World, type Entry } from '../support/triggers/worlds';
import { engine } from '../support/nodes/suite-engine';

/** A placeholder for arrays that are nested so deeply that recursion would overflow the stack. */
const DEEP = '@deep@';
const LEVELS = 20_000;

const hostile = fc.constantFrom<unknown>(
	null,
	-7,
	9e15,
	1e308,
	true,
	'a:b;c#%\ud800',
	'',
	'\u0000\u202e\ufeff\u200b',
	'0000-00-00 00:00:00',
	'123456789012345678901234567890',
	[[], {}, null],
	{ constructor: 1 },
	{ toString: 1, valueOf: 1, toJSON: 1 },
	{ length: 1e9, 0: 'a' },
	JSON.parse('{"__proto__": {"a": 1}}'),
	DEEP,
	'<b>'.repeat(100_000),
	undefined,
);

/** The keys that lead to a member of a JSON value. */
type Path = string[];

const membersOf = (value: unknown): Array<[name: string, member: unknown]> =>
	typeof value === 'object' && value !== null ? Object.entries(value) : [];

const pathsOf = (value: unknown, path: Path = []): Path[] => [
	path,
	...membersOf(value).flatMap(([name, member]) => pathsOf(member, [...path, name])),
];

/** A copy of a JSON value in which the member at the path is replaced, or removed if the replacement is undefined. */
function replaceMember(value: unknown, [name, ...rest]: Path, replacement: unknown): unknown {
	if (name === undefined) return replacement;
	const copy = structuredClone(value) as Record<string, unknown>;
	const member = replaceMember(copy[name], rest, replacement);
	if (member === undefined && !Array.isArray(copy)) delete copy[name];
	else copy[name] = member ?? null;
	return copy;
}

const isRecord = (value: unknown): boolean =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of the records in a response that an earlier one did not have. */
function newRecords(now: unknown, before: unknown, path: Path = []): Path[] {
	if (!Array.isArray(now)) {
		return membersOf(now).flatMap(([name, member]) =>
			newRecords(member, Object(before)[name] as unknown, [...path, name]),
		);
	}
	const known = new Set(membersOf(before).map(([, entry]) => JSON.stringify(entry)));
	return now.flatMap((entry, index) =>
		isRecord(entry) && !known.has(JSON.stringify(entry)) ? [[...path, String(index)]] : [],
	);
}

const stringify = (value: unknown): string =>
	(JSON.stringify(value) ?? '').replaceAll(`"${DEEP}"`, `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`);

/** Returns the changed response to a request. */
type Corruption = (response: unknown, request: { line: string; number: number }) => unknown;

/** A trigger whose service sends corrupted responses, and everything that it has emitted. */
class Polls {
	readonly emitted: string[] = [];
	/** The last responses that were not corrupted. */
	readonly usual = new Map<string, unknown>();
	private entry: Entry | undefined;

	constructor(private readonly world: World) {}

	/** Makes the event occur again, as often as it can. */
	async add(count: number): Promise<void> {
		if (this.world.isState) {
			await this.entry?.remove?.();
			await this.poll();
		}
		for (let n = 0; n < count; n += 1) this.entry = (await this.world.add()) ?? this.entry;
	}

	/** Polls three times: what the service allows only once a minute, and pages after the first, take more polls. */
	async poll(corrupt?: Corruption): Promise<string[]> {
		const { host, run } = this.world;
		const ids: string[] = [];
		for (let polls = 0; polls < 3; polls += 1) {
			let number = 0;
			host.respond = async ({ line }, passOn) =>
				editBody(await passOn(), (body) => {
					const response: unknown = JSON.parse(body);
					if (!corrupt) this.usual.set(line, response);
					return corrupt ? stringify(corrupt(response, { line, number: number++ })) : body;
				});
			const items = await run.poll().catch((error: Error) => {
				expectClearError(error);
				return [];
			});
			ids.push(...eventIdsOf(items));
		}
		this.emitted.push(...ids);
		expect(new Set(this.emitted).size).toBe(this.emitted.length);
		return ids;
	}
}
beforeEach(holdTime);

describe.each(eventNames)('%s', (event) => {
	let world: World;
	let polls: Polls;

	beforeEach(async () => {
		world = await World.start(engine, event, { storage: 'cursors' });
		polls = new Polls(world);
		await world.run.activate();
		await polls.poll();
	});

	it('emits other records if a member of a record is corrupted', async () => {
		// A response that is nested too deeply can't be read at all.
		const readable = hostile.filter((value) => value !== DEEP);
		const any = fc.record({ value: readable, which: fc.nat(1000) });
		const play = async ({ value, which }: { value: unknown; which: number }): Promise<void> => {
			await polls.add(2);
			const emitted = await polls.poll((response, { line }) => {
				// The record of a followed user, who is not what happened.
				if (line.includes('/load_user_friends')) return response;
				const [record] = newRecords(response, polls.usual.get(line));
				if (!record) return response;
				const paths = pathsOf(record.reduce((inner, name) => Object(inner)[name] as unknown, response));
				return replaceMember(response, [...record, ...paths[which % paths.length]!], value);
			});
			if (!world.isState) expect(emitted).not.toEqual([]);
			await polls.poll();
		};
		await fc.assert(fc.asyncProperty(any, play), { ...propertyOptions(6), endOnFailure: true });
	});

	it('recovers from a corrupted response', async () => {
		const any = fc.record({ value: hostile, at: fc.nat(3), which: fc.nat(1000), cut: fc.nat(9) });
		type Any = typeof any extends fc.Arbitrary<infer One> ? One : never;
		const play = async ({ value, at, which, cut }: Any): Promise<void> => {
			await polls.add(2);
			await polls.poll((response, { number }) => {
				if (number !== at) return response;
				const paths = pathsOf(response);
				return cut === 0 ? undefined : replaceMember(response, paths[which % paths.length]!, value);
			});
			await polls.poll();
			await polls.add(1);
			expect(await polls.poll()).not.toEqual([]);
		};
		await fc.assert(fc.asyncProperty(any, play), { ...propertyOptions(6), endOnFailure: true });
	});
});
