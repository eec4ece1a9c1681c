/**
 * Tests each event with random histories: more entries than a poll may emit, lists that are longer than a poll can read,
 * changed settings, muted feeds, entries that are added and removed between two page requests, responses that are empty,
 * cut or fail, restarts of n8n, and polls in which n8n is killed. Entries that stay are emitted once, none is emitted twice,
 * and each poll emits its entries in their order.
 */
import fc from 'fast-check';
import { propertyOptions } from '../support/cases/random';
import { editBody, type Reply } from '../support/hosts/fake-host';
import { holdTime, eventIdsOf, type Json, type TriggerRun } from '../support/triggers/trigger-run';
import { eventNames, storyNumberOf, World, type Entry } from '../support/triggers/worlds';
import { engine } from '../support/nodes/suite-engine';

const HISTORIES = 2;
const MINUTE = 60_000;
/** How many entries a page of the link service has: so that each list has several pages. */
const pageSizeOf = (event: string): number => (/Scan|Click/.test(event) ? 3 : 10);
beforeEach(holdTime);

/** The events whose lists may take several polls. */
const inSeveralPolls = new Set([
	'newCampaign',
	'newChannel',
	'newPixel',
	'newQrCode',
	'newShortLink',
	'newQrScan',
	'newShortLinkClick',
]);

/** The events whose lists are read down to a known entry: an empty page ends such a list. */
const endsAtEmptyPage = new Set(['newActivity', 'newInteraction', 'newSharedStory', 'savedSearchMatch']);

/** Parameters that a user may change without starting over, by event. */
const variations: Record<string, object[]> = {
	newQrScan: [{ includeChanges: true }, { includeChanges: false }],
	newShortLinkClick: [{ includeChanges: true }, { includeChanges: false }],
	newUnreadStory: [{ storyContent: 'none' }, { similarStories: 'group' }, { similarStories: 'story' }],
	newSavedStory: [{ storyContent: 'none' }, { storyContent: 'text' }],
};

const fault = fc.record({
	at: fc.nat(3),
	how: fc.constantFrom('500' as const, 'drop' as const, 'cut' as const, 'empty' as const),
});
/** Which entry is removed: the newest is 0. */
const entryNumber = fc.oneof(fc.nat(20), fc.nat(400));
/** Removes an entry, or adds one (null). */
const change = fc.record({ at: fc.nat(4), which: fc.option(entryNumber) });
const rarely = fc.integer({ min: 0, max: 3 }).map((n) => n === 0);
const round = fc.record({
	additions: fc.oneof(fc.nat(4), fc.nat(40)),
	removal: fc.option(entryNumber),
	changes: fc.array(change, { maxLength: 4 }),
	fault: fc.option(fault, { freq: 2 }),
	settings: fc.option(fc.record({ maximum: fc.constantFrom(1, 20, 100, 1000), variation: fc.nat(5) })),
	isAway: fc.boolean(),
	isKilled: rarely,
	restarts: rarely,
});
type Round = typeof round extends fc.Arbitrary<infer One> ? One : never;
const history = fc.record({
	before: fc.nat(30),
	rounds: fc.array(round, { minLength: 3, maxLength: 6 }),
	/** How many requests the rate limit allows in a minute. */
	limit: fc.option(fc.integer({ min: 4, max: 8 })),
	/** Whether stories that are marked as unread again are events: then an empty list says that all were read. */
	unreadAgain: fc.boolean(),
});
type Course = typeof history extends fc.Arbitrary<infer One> ? One : never;

/** Newer readers can mute feeds. Links as seen in the wild say how long their lists are, so that moves are noticed. */
const options = { parameters: { options: { maximum: 20 } }, storage: 'cursors', variant: '2026' } as const;

/** The same JSON with every array emptied, and without feeds. */
const emptyLists = (body: string): string =>
	JSON.stringify(JSON.parse(body), (key, value: unknown) => {
		if (Array.isArray(value)) return [];
		return key === 'feeds' ? {} : value;
	});

/** The number of an item's story, else the id of its record. */
const numberOf = ({ title, id }: Json): number => storyNumberOf(title) ?? Number(id);
/** What orders the items of a poll: the number of a story, else a date, else a rising id. */
const orderOf = (item: Json): string | number =>
	storyNumberOf(item.title) ?? (String(item.date ?? '') || Number(item.id));

const isOdd = (number: number | null): boolean => (number ?? 0) % 2 === 1;

class History {
	private readonly entries: Array<Entry & { isKnown: boolean }> = [];
	private readonly emitted: string[] = [];
	private readonly numbers = new Set<number>();
	private added = 0;
	private removed = 0;
	private run: TriggerRun;

	constructor(
		private readonly world: World,
		private readonly event: string,
		private readonly course: Course,
	) {
		this.run = world.run;
		this.respond();
	}

	async play(): Promise<number> {
		const { before, rounds, unreadAgain } = this.course;
		for (let n = 0; n < before; n += 1) await this.add(true);
		if (this.event === 'newUnreadStory') this.run = this.run.withParameters({ filters: { unreadAgain } });
		await this.run.activate();
		await this.pollUntilQuiet();
		expect(this.emitted).toEqual([]);
		for (const each of rounds) await this.playRound(each);
		await this.world.setAway(false);
		await this.pollUntilQuiet();
		expect(this.emitted).toHaveLength(new Set(this.emitted).size);
		expect(this.emitted.length).toBeLessThanOrEqual(this.added);
		expect(this.emitted.length).toBeGreaterThanOrEqual(this.added - this.removed);
		const missing = this.entries.filter(
			({ isKnown, number }) => !isKnown && number !== undefined && !this.numbers.has(number),
		);
		expect(missing).toEqual([]);
		return this.emitted.length;
	}

	private async playRound(each: Round): Promise<void> {
		const { additions, removal, settings, isAway, isKilled, restarts } = each;
		await this.world.setAway(isAway);
		// What switches on and off again between two polls is no event: in a round, a state switches only one way.
		const [adds, removes] = this.world.isState ? [isOdd(removal), !isOdd(removal)] : [true, removal !== null];
		if (adds) for (let n = 0; n < additions; n += 1) await this.add();
		if (removes) await this.remove(removal ?? 0);
		this.respond(each);
		if (isKilled) await this.run.pollKilled().catch(() => undefined);
		else if (settings) await this.changeSettings(settings);
		else this.receive(await this.run.poll().catch(() => []));
		this.respond();
		if (restarts || isKilled) this.run.restart(11 * MINUTE);
	}

	/** Saves the workflow with other settings; n8n then activates it again. */
	private async changeSettings({ maximum, variation }: NonNullable<Round['settings']>): Promise<void> {
		const others = variations[this.event] ?? [{}];
		this.run = this.run.withParameters({
			...others[variation % others.length],
			options: { maximum },
		});
		this.receive(await this.run.activate().catch(() => []));
	}

	private receive(items: Json[]): void {
		this.emitted.push(...eventIdsOf(items));
		for (const item of items) this.numbers.add(numberOf(item));
		// Each scan is an item, and feeds are not ordered.
		if (/Scan|Click|feedBroken/.test(this.event)) return;
		const orders = items.map(orderOf);
		expect(orders).toEqual(orders.toSorted((one, other) => (one < other ? -1 : Number(one > other))));
	}

	/** Polls until the trigger has emitted everything: a pass of a long list takes several polls, at most one for each page. */
	private async pollUntilQuiet(): Promise<void> {
		const quietPolls = 3 + Math.ceil(this.entries.length / pageSizeOf(this.event));
		for (let quiet = 0, polls = 0; quiet < quietPolls; polls += 1) {
			if (polls > 400) throw new Error('The trigger still emits items after 400 polls');
			const items = await this.run.poll();
			this.receive(items);
			quiet = items.length === 0 ? quiet + 1 : 0;
		}
	}

	/** Sets how the service responds to the requests of the next poll. */
	private respond(
		{ changes, fault: broken }: Pick<Round, 'changes' | 'fault'> = { changes: [], fault: null },
	): void {
		const { host } = this.world;
		const { limit, unreadAgain } = this.course;
		const pageSize = pageSizeOf(this.event);
		const believesEmpty = unreadAgain || endsAtEmptyPage.has(this.event);
		const isLimited = limit !== null && inSeveralPolls.has(this.event);
		let minute = 0;
		let requests = 0;
		host.respond = async (request, passOn) => {
			if (minute !== this.run.polls) [minute, requests] = [this.run.polls, 0];
			const number = requests;
			requests += 1;
			if (isLimited && number >= limit) return { status: 429, headers: { 'retry-after': '50' } };
			for (const { at, which } of changes)
				if (at === number) await (which === null ? this.add() : this.remove(which));
			const pass = async (): Promise<Reply> =>
				await passOn(request.url.replace(/limit=\d+/, `limit=${pageSize}`));
			if (broken?.at !== number) return await pass();
			if (broken.how === 'drop') return 'drop';
			if (broken.how === '500' || (broken.how === 'empty' && believesEmpty)) return { status: 500 };
			const edit = broken.how === 'empty' ? emptyLists : (body: string) => body.slice(0, body.length / 2);
			return editBody(await pass(), edit);
		};
	}

	private async add(isKnown = false): Promise<void> {
		const entry = await this.world.add();
		if (!entry) return;
		this.entries.push({ ...entry, isKnown });
		if (!isKnown) this.added += 1;
	}

	private async remove(which: number): Promise<void> {
		const removable = this.entries.filter((candidate) => candidate.remove);
		const entry = removable.at(-1 - (which % removable.length));
		if (!entry) return;
		this.entries.splice(this.entries.indexOf(entry), 1);
		if (!entry.isKnown || this.world.isState) this.removed += 1;
		await entry.remove?.();
	}
}

it.each(eventNames)('%s', async (event) => {
	let emitted = 0;
	await fc.assert(
		fc.asyncProperty(history, async (course) => {
			const world = await World.start(engine, event, options);
			try {
				emitted += await new History(world, event, course).play();
			} finally {
				await world.stop();
			}
		}),
		{ ...propertyOptions(HISTORIES), endOnFailure: true },
	);
	if (process.env.RANDOM_TIMES) console.log(`${event}: ${emitted} events`);
});
