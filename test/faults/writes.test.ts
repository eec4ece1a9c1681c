/**
 * Whatever goes wrong between a node and its service, the node says what happened: for each item of each write, and for
 * each entry of an item that has several, what the run reported with what the sandbox did. FAULT_RUNS=10000 runs as many instead of the fixed few.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { clock } from '../support/nodes/built';
import { fixturesFor, type Fixtures } from '../support/cases/fixtures.ts';
import { startEngine } from '../support/nodes/node';
import { newestVariant, variants } from '../../sandbox/shared/options.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';
import { connect } from '../support/hosts/reader-sandbox';
import { RestorableSandbox } from '../support/hosts/restorable-sandbox';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { faults, type Fault } from './support/faults';
import { Figures } from './support/figures';
import { rehearse, violationsOf, type Rehearsal } from './support/judge';
import { Ledger } from './support/ledger';
import { makeTimeLimits, type TimeLimits } from './support/time-limits';
import { stagesOf } from './support/stages';
import { Prepared, writes, type Access, type RunSettings, type Write } from './support/writes';

const RUNS = Number(process.env.FAULT_RUNS ?? 300);
const SEED = Number(process.env.FAULT_SEED ?? 1);
/** More requests than a run makes meet no fault. */
const LENGTH = 12;

let engine: Engine;
let time: VirtualClock;
let limits: TimeLimits;
/** By how many milliseconds the run under way has moved the clock. */
let moved = 0;
const figures = new Figures();
/** The host of the run under way. */
let ledger: Ledger | undefined;

beforeAll(async () => {
	engine = await startEngine();
	time = makeVirtual(clock);
	limits = makeTimeLimits();
	const { sleep } = clock;
	clock.sleep = async (ms) => {
		await ledger?.onWait();
		await sleep(ms);
	};
});
afterAll(async () => {
	time.restore();
	limits.restore();
	if (process.env.FAULT_RUNS) await figures.write();
});

/** The ways in which the sandbox may answer, and the two credentials of the reader. */
const worlds = variants.flatMap((variant) =>
	[false, true].map((usesTokens) => ({
		name: `${variant}, ${usesTokens ? 'by token' : 'by session'}`,
		variant,
		usesTokens,
	})),
);
type World = (typeof worlds)[number];

const worldsOf = ({ isNewer }: Write): World[] =>
	worlds.filter(({ variant }) => !isNewer || variant === newestVariant);

interface Draw {
	how: RunSettings;
	schedule: Array<Fault | undefined>;
	/** The position of this run's fault. */
	place: number;
}

const anyFault = fc.constantFrom(...faults);
const anySchedule = fc
	.constantFrom(1, 2, 8)
	.chain((calm) =>
		fc.array(fc.option(anyFault, { nil: undefined, freq: calm }), { minLength: LENGTH, maxLength: LENGTH }),
	);
const anyDraw: fc.Arbitrary<Draw> = fc.record({
	how: fc.record<RunSettings>({
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		concurrency: fc.constantFrom(1, 3),
		batchSize: fc.constantFrom(1, 2, 100),
		items: fc.constantFrom(3, 3, 1),
	}),
	schedule: anySchedule,
	place: fc.integer({ min: 0, max: 3 }),
});

/** Fewer draws of a write are all of one world: to rehearse it in each would take longer than they. */
const FEW = 8;

/** So many draws, this world's share of them; over all of them every write meets every fault. */
function drawsFor(write: Write, world: World): Draw[] {
	const index = writes.indexOf(write);
	const possible = worldsOf(write);
	const share = possible.indexOf(world);
	if (share < 0) return [];
	const count = Math.floor(RUNS / writes.length) + (index < RUNS % writes.length ? 1 : 0);
	const alone = share === index % possible.length ? count : 0;
	const own =
		count < FEW ? alone : Math.floor(count / possible.length) + (share < count % possible.length ? 1 : 0);
	return fc
		.sample(anyDraw, { numRuns: own, seed: SEED + index + 1000 * share })
		.map(({ schedule, place, how }, turn) => ({
			how,
			place,
			schedule: schedule.with(place, faults[(index + turn * 7) % faults.length]),
		}));
}

/** Lets pass what earlier runs learned of a rate limit: their hosts may have had the same address. */
async function rest(): Promise<void> {
	ledger = undefined;
	time.shiftDate(-moved);
	moved = 0;
	await clock.sleep(2 * 3_600_000);
}

async function runOnce(
	sandbox: RestorableSandbox,
	prepared: Prepared,
	rehearsal: Rehearsal,
	{ how, schedule }: Draw,
): Promise<string[]> {
	const { write } = prepared;
	await rest();
	ledger = await Ledger.start(sandbox, write.service, write.entryFields, schedule, {
		shiftClock: (ms) => {
			moved += ms;
			time.shiftDate(ms);
		},
		expireTimeouts: () => limits.expireAll(),
	});
	const result = await prepared.run(ledger, how);
	await ledger.stop();
	const { acts, confirmed, arrived, broken } = ledger;
	const reported = stagesOf(result, 'Node', write.entries > 1 ? 1 : how.items, write.entries);
	const changed = sandbox.changes() !== '{}';
	sandbox.restore();
	figures.add(broken, reported);
	const violations = violationsOf(rehearsal, { reported, acts, confirmed, arrived, changed }, write);
	if (result.error && how.onError !== 'stopWorkflow') violations.push('the node failed');
	const circumstances = `${JSON.stringify(how)}, ${broken.map(({ name, moment }) => `${name} (${moment})`).join(', ')}`;
	return violations.map(
		(violation) =>
			`${violation}: ${circumstances}; ${result.error?.message} ${result.error?.description} ${JSON.stringify(result.json('Node'))}`,
	);
}

describe.each(worlds)('$name', (world) => {
	const { variant, usesTokens } = world;
	let sandbox: RestorableSandbox;
	let fixtures: Record<string, Fixtures>;

	/** Tokens are used up by faults that lose an answer with new ones. */
	async function access(): Promise<Access> {
		if (usesTokens) return { tokens: await connect(new ReaderClient(sandbox.origin)) };
		return { cookie: (await new ReaderClient(sandbox.origin).as('reader')).headers.cookie! };
	}

	beforeAll(async () => {
		sandbox = await RestorableSandbox.start({
			variant,
			plan: variant === newestVariant ? 'archive' : 'premium',
		});
		fixtures = await fixturesFor(sandbox);
	});
	afterAll(() => sandbox.stop());

	const tested = writes.filter((write) => drawsFor(write, world).length > 0);
	it.each(tested.map((write): [string, Write] => [write.name, write]))('%s', async (_, write) => {
		const prepare = async (): Promise<Prepared> => await Prepared.of(write, engine, fixtures, await access());
		let prepared = await prepare();
		sandbox.save();
		await rest();
		const rehearsal = await rehearse(prepared, sandbox);
		const violations: string[] = [];
		for (const draw of drawsFor(write, world)) {
			violations.push(...(await runOnce(sandbox, prepared, rehearsal, draw)));
			if (ledger?.hasRequestedTokens) prepared = prepared.with(await access());
		}
		figures.violations += violations.length;
		expect(violations).toEqual([]);
	});
});
