/**
 * Tests each event with random histories: entries are added and removed between two page requests, responses are empty,
 * truncated or fail, and n8n restarts. Entries that stay are emitted once, and none is emitted twice.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { startEngine } from '../support/nodes/link-node';
import { propertyOptions } from '../support/cases/random';
import { editBody, type Reply } from '../support/hosts/fake-host';
import { holdTime, eventIdsOf, releaseTime } from '../support/triggers/trigger-run';
import { eventNames, World, type Entry } from '../support/triggers/worlds';

const HISTORIES = 2;
const MINUTE = 60_000;

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});
beforeEach(holdTime);
afterEach(releaseTime);

const settings = { parameters: { options: { maximum: 1000 } }, storage: 'cursors' } as const;

const fault = fc.record({
	at: fc.nat(3),
	how: fc.constantFrom('500' as const, 'drop' as const, 'cut' as const, 'empty' as const),
});
/** Removes the entry with this number, or adds one (null). */
const change = fc.record({ at: fc.nat(4), which: fc.option(fc.nat(20)) });
const round = fc.record({
	additions: fc.nat(4),
	removal: fc.option(fc.nat(20)),
	changes: fc.array(change, { maxLength: 2 }),
	fault: fc.option(fault, { freq: 2 }),
	restarts: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});
type Round = typeof round extends fc.Arbitrary<infer One> ? One : never;

/** The same JSON with every array emptied, and without feeds. */
const emptyLists = (body: string): string =>
	JSON.stringify(JSON.parse(body), (key, value: unknown) => {
		if (Array.isArray(value)) return [];
		return key === 'feeds' ? {} : value;
	});

/** Lists of the link service have pages of three entries. */
const withShortPages = async (
	{ url }: { url: string },
	passOn: (url: string) => Promise<Reply>,
): Promise<Reply> => await passOn(url.replace(/limit=\d+/, 'limit=3'));

class History {
	private readonly entries: Array<Entry & { isKnown: boolean }> = [];
	private readonly emitted: string[] = [];
	private added = 0;
	private removed = 0;

	constructor(private readonly world: World) {
		world.host.respond = withShortPages;
	}

	async play(before: number, rounds: Round[]): Promise<void> {
		for (let n = 0; n < before; n += 1) await this.add(true);
		const { run } = this.world;
		await run.activate();
		await run.poll();
		for (const round of rounds) await this.playRound(round);
		for (const item of await run.pollUntilEmpty()) this.emitted.push(item.eventId);
		expect(this.emitted).toHaveLength(new Set(this.emitted).size);
		expect(this.emitted.length).toBeLessThanOrEqual(this.added);
		expect(this.emitted.length).toBeGreaterThanOrEqual(this.added - this.removed);
	}

	private async playRound({ additions, removal, changes, fault: broken, restarts }: Round): Promise<void> {
		const { host, run } = this.world;
		for (let n = 0; n < additions; n += 1) await this.add();
		if (removal !== null) await this.remove(removal);
		let requests = -1;
		host.respond = async (request, passOn) => {
			const number = (requests += 1);
			for (const { at, which } of changes)
				if (at === number) await (which === null ? this.add() : this.remove(which));
			const pass = async (): Promise<Reply> => await withShortPages(request, passOn);
			if (broken?.at !== number) return await pass();
			if (broken.how === 'drop') return 'drop';
			if (broken.how === '500') return { status: 500 };
			const edit = broken.how === 'empty' ? emptyLists : (body: string) => body.slice(0, body.length / 2);
			return editBody(await pass(), edit);
		};
		this.emitted.push(...eventIdsOf(await run.poll().catch(() => [])));
		host.respond = withShortPages;
		if (restarts) run.restart(11 * MINUTE);
	}

	private async add(isKnown = false): Promise<void> {
		const entry = await this.world.add();
		if (!entry) return;
		this.entries.push({ ...entry, isKnown });
		if (!isKnown) this.added += 1;
	}

	private async remove(which: number): Promise<void> {
		const removable = this.entries.filter((candidate) => candidate.remove);
		const entry = removable[which % removable.length];
		if (!entry) return;
		this.entries.splice(this.entries.indexOf(entry), 1);
		if (!entry.isKnown || this.world.isState) this.removed += 1;
		await entry.remove?.();
	}
}

it.each(eventNames)('%s', async (event) => {
	await fc.assert(
		fc.asyncProperty(fc.nat(8), fc.array(round, { minLength: 3, maxLength: 8 }), async (before, rounds) => {
			const world = await World.start(engine, event, settings);
			try {
				await new History(world).play(before, rounds);
			} finally {
				await world.stop();
			}
		}),
		{ ...propertyOptions(HISTORIES), endOnFailure: true },
	);
});
