/**
 * Tests every write under random schedules of faults: for each item and entry, the stage that the run reports must agree
 * with what the sandbox did. FAULT_RUNS sets the number of runs.
 */
import fc from 'fast-check';
import { clock } from '../support/nodes/built';
import type { Fixtures } from '../../cases/fixture.ts';
import { fixturesFor } from '../support/cases/fixtures.ts';
import { newestVariant, variants } from '../../sandbox/shared/options.ts';
import { ReaderClient } from '../support/clients/reader-client.ts';
import { connect } from '../support/hosts/reader-sandbox';
import { RestorableSandbox } from '../support/hosts/database';
import { makeVirtual, type VirtualClock } from '../support/clock';
import { faults, type Fault } from './support/faults';
import { Figures, rehearse, violationsOf, type Rehearsal } from './support/judge';
import { Ledger } from './support/ledger';
import { stagesOf } from './support/stages';
import { Prepared, writes, type Access, type RunSettings, type Write } from './support/writes';
import { engine } from '../support/nodes/suite-engine';

const RUNS = Number(process.env.FAULT_RUNS ?? 300);
const SEED = Number(process.env.FAULT_SEED ?? 1);
/** The number of requests of a run that can get a fault. */
const LENGTH = 12;

let time: VirtualClock;
let limits: TimeLimits;
/** The clock shift of the current run, in milliseconds. */
let shiftedMs = 0;
const figures = new Figures();
/** The ledger of the current run. */
let ledger: Ledger | undefined;

beforeAll(async () => {
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

/** The variants of the sandbox with each credential of the reader. */
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
	settings: RunSettings;
	schedule: Array<Fault | undefined>;
	/** The index of the fault that every draw of this write varies. */
	faultIndex: number;
}

const anyFault = fc.constantFrom(...faults);
const anySchedule = fc.constantFrom(1, 2, 8).chain((frequency) =>
	fc.array(fc.option(anyFault, { nil: undefined, freq: frequency }), {
		minLength: LENGTH,
		maxLength: LENGTH,
	}),
);
const anyDraw: fc.Arbitrary<Draw> = fc.record({
	settings: fc.record<RunSettings>({
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		batchSize: fc.constantFrom(1, 2, 100),
		items: fc.constantFrom(3, 3, 1),
	}),
	schedule: anySchedule,
	faultIndex: fc.integer({ min: 0, max: 3 }),
});

/** If a write has fewer draws, all use one world, because a rehearsal in each world would take longer than the draws. */
const MIN_TO_SPLIT = 8;

/** The draws of a write in this world. Over all worlds, each write gets its share of RUNS; with many, every fault. */
function drawsFor(write: Write, world: World): Draw[] {
	const index = writes.indexOf(write);
	const writeWorlds = worldsOf(write);
	const share = writeWorlds.indexOf(world);
	if (share < 0) return [];
	const count = Math.floor(RUNS / writes.length) + (index < RUNS % writes.length ? 1 : 0);
	const unsplit = share === index % writeWorlds.length ? count : 0;
	const numRuns =
		count < MIN_TO_SPLIT
			? unsplit
			: Math.floor(count / writeWorlds.length) + (share < count % writeWorlds.length ? 1 : 0);
	return fc
		.sample(anyDraw, { numRuns, seed: SEED + index + 1000 * share })
		.map(({ schedule, faultIndex, settings }, n) => ({
			settings,
			faultIndex,
			schedule: schedule.with(faultIndex, faults[(index + n * 7) % faults.length]),
		}));
}

/** Waits until all rate limit windows of previous runs have ended, because the next host may have the same address. */
async function waitForWindows(): Promise<void> {
	ledger = undefined;
	time.shiftDate(-shiftedMs);
	shiftedMs = 0;
	await clock.sleep(2 * 3_600_000);
}

async function runOnce(
	sandbox: RestorableSandbox,
	prepared: Prepared,
	rehearsal: Rehearsal,
	{ settings, schedule }: Draw,
): Promise<string[]> {
	const { write } = prepared;
	await waitForWindows();
	ledger = await Ledger.start(sandbox, write.service, write.entryFields, schedule, {
		shiftClock: (ms) => {
			shiftedMs += ms;
			time.shiftDate(ms);
		},
		expireTimeouts: () => limits.expireAll(),
	});
	const result = await prepared.run(ledger, settings);
	await ledger.stop();
	const { acts, confirmed, arrived, broken } = ledger;
	const reported = stagesOf(result, 'Node', write.entries > 1 ? 1 : settings.items, write.entries);
	const changed = sandbox.changes() !== '{}';
	sandbox.restore();
	figures.add(broken, reported);
	const violations = violationsOf(rehearsal, { reported, acts, confirmed, arrived, changed }, write);
	if (result.error && settings.onError !== 'stopWorkflow') violations.push('the node failed');
	const circumstances = `${JSON.stringify(settings)}, ${broken.map(({ name, moment }) => `${name} (${moment})`).join(', ')}`;
	return violations.map(
		(violation) =>
			`${violation}: ${circumstances}; ${result.error?.message} ${result.error?.description} ${JSON.stringify(result.json('Node'))}`,
	);
}

describe.each(worlds)('$name', (world) => {
	const { variant, usesTokens } = world;
	let sandbox: RestorableSandbox;
	let fixtures: Record<string, Fixtures>;

	/** Logs in. Tokens are requested for each run, because a fault may lose the response with new ones. */
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
		await waitForWindows();
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

/** Replaces AbortSignal.timeout by timeouts that a test ends. */
interface TimeLimits {
	/** Aborts all signals that were created so far. */
	expireAll(): void;
	restore(): void;
}

/** Replaces the real timeouts until `restore` is called. */
function makeTimeLimits(): TimeLimits {
	const real = AbortSignal.timeout.bind(AbortSignal);
	let controllers: AbortController[] = [];
	AbortSignal.timeout = () => {
		const controller = new AbortController();
		controllers.push(controller);
		return controller.signal;
	};
	return {
		expireAll: () => controllers.splice(0).forEach((controller) => controller.abort()),
		restore: () => {
			controllers = [];
			AbortSignal.timeout = real;
		},
	};
}
