/**
 * Whatever goes wrong between a node and its service, the node says what happened: for each item of each write,
 * what the run told against what the sandbox did. FAULT_RUNS=10000 runs as many instead of the fixed few.
 */
import fc from 'fast-check';
import type { Engine } from '../../engine/index.ts';
import { ReaderAccount } from '../support/accounts.ts';
import { clock } from '../support/built';
import { fixturesFor, type Fixtures } from '../support/fixtures.ts';
import { startEngine } from '../support/node';
import { RestorableSandbox } from '../support/restorable';
import { makeVirtual, type VirtualClock } from '../support/virtual-clock';
import { faults, type Fault } from './support/faults';
import { Figures } from './support/figures';
import { rehearse, violationsOf, type Rehearsal } from './support/judge';
import { Ledger } from './support/ledger';
import { toldOf } from './support/told';
import { Prepared, writes, type HowToRun, type Write } from './support/writes';

const RUNS = Number(process.env.FAULT_RUNS ?? 300);
const SEED = 1;
/** More requests than a run makes meet no fault. */
const LENGTH = 12;

let engine: Engine;
let sandbox: RestorableSandbox;
let fixtures: Record<string, Fixtures>;
let session: string;
let time: VirtualClock;
const figures = new Figures();
/** The host of the run under way. */
let ledger: Ledger | undefined;

beforeAll(async () => {
	engine = await startEngine();
	sandbox = await RestorableSandbox.start();
	fixtures = await fixturesFor(sandbox);
	const { cookie } = await ReaderAccount.logIn(sandbox.readerUrl, 'reader');
	session = cookie.slice(cookie.indexOf('=') + 1);
	time = makeVirtual(clock);
	const { sleep } = clock;
	clock.sleep = async (ms) => {
		await ledger?.nap();
		await sleep(ms);
	};
});
afterAll(async () => {
	time.restore();
	await sandbox.stop();
	if (process.env.FAULT_RUNS) await figures.write();
});

interface Draw {
	how: HowToRun;
	schedule: Array<Fault | undefined>;
	/** Where the fault stands that is this run's turn. */
	place: number;
}

const anyFault = fc.constantFrom(...faults);
const anySchedule = fc
	.constantFrom(1, 2, 8)
	.chain((calm) =>
		fc.array(fc.option(anyFault, { nil: undefined, freq: calm }), { minLength: LENGTH, maxLength: LENGTH }),
	);
const anyDraw: fc.Arbitrary<Draw> = fc.record({
	how: fc.record<HowToRun>({
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		concurrency: fc.constantFrom(1, 3),
		batchSize: fc.constantFrom(1, 2, 100),
		items: fc.constantFrom(3, 3, 1),
	}),
	schedule: anySchedule,
	place: fc.integer({ min: 0, max: 3 }),
});

/** So many draws; over all of them every write meets every fault. */
function drawsFor(write: Write): Draw[] {
	const index = writes.indexOf(write);
	const count = Math.floor(RUNS / writes.length) + (index < RUNS % writes.length ? 1 : 0);
	return fc.sample(anyDraw, { numRuns: count, seed: SEED + index }).map(({ schedule, place, how }, turn) => ({
		how,
		place,
		schedule: schedule.with(place, faults[(index + turn * 7) % faults.length]),
	}));
}

/** Lets pass what earlier runs learned of a rate limit: their hosts may have had the same address. */
async function rest(): Promise<void> {
	ledger = undefined;
	await clock.sleep(2 * 3_600_000);
}

async function runOnce(prepared: Prepared, rehearsal: Rehearsal, { how, schedule }: Draw): Promise<string[]> {
	const { write } = prepared;
	await rest();
	ledger = await Ledger.start(sandbox, write.spoken, write.batchField, schedule);
	const result = await prepared.run(ledger, how);
	await ledger.stop();
	const { acts, broken } = ledger;
	const told = toldOf(result, 'Node', how.items);
	const changed = sandbox.changes() !== '{}';
	sandbox.restore();
	figures.add(broken, told);
	const violations = violationsOf(rehearsal, { told, acts, changed }, write.returnExisting);
	if (result.error && how.onError !== 'stopWorkflow') violations.push('the node failed');
	const circumstances = `${JSON.stringify(how)}, ${broken.map(({ name, moment }) => `${name} (${moment})`).join(', ')}`;
	return violations.map(
		(violation) =>
			`${violation}: ${circumstances}; ${result.error?.message} ${result.error?.description} ${JSON.stringify(result.json('Node'))}`,
	);
}

it.each(writes.map((write): [string, Write] => [write.name, write]))('%s', async (_, write) => {
	const draws = drawsFor(write);
	const prepared = await Prepared.of(write, engine, fixtures, session);
	sandbox.keep();
	await rest();
	const rehearsal = await rehearse(prepared, sandbox);
	const violations: string[] = [];
	for (const draw of draws) violations.push(...(await runOnce(prepared, rehearsal, draw)));
	figures.violations += violations.length;
	expect(violations).toEqual([]);
});
