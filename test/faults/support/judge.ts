/** Whether what a run told agrees with what the services did. */
import type { RestorableSandbox } from '../../support/hosts/restorable-sandbox';
import { Ledger } from './ledger';
import { toldOf, type Told } from './told';
import type { HowToRun, Prepared } from './writes';

/** What a write does when nothing goes wrong. */
export interface Rehearsal {
	/** For each item what the service does for it. */
	keys: string[][];
	/** Whether doing it twice comes to the same as doing it once. */
	repeatable: boolean;
}

const calmly: HowToRun = { onError: 'stopWorkflow', concurrency: 1, batchSize: 1, items: 3 };

/** Runs a write without faults. Throws unless all of it is done. */
export async function rehearse(prepared: Prepared, sandbox: RestorableSandbox): Promise<Rehearsal> {
	const { write } = prepared;
	const once = await run();
	const changes = sandbox.changes();
	const twice = await run();
	const repeatable = twice.told.every((told) => told === 'done') && sandbox.changes() === changes;
	sandbox.restore();
	const { acts, told } = once;
	const each = write.returnExisting ? acts.length : acts.length / told.length;
	if (
		!told.every((word) => word === 'done') ||
		each === 0 ||
		!Number.isInteger(each) ||
		(write.returnExisting && each > 1)
	) {
		throw new Error(`${write.name} is not carried out: ${JSON.stringify([told, acts])} ${once.error}`);
	}
	if (write.row.idempotent && !repeatable) throw new Error(`${write.name} done twice is not as done once`);
	const keys = told.map((_, item) =>
		write.returnExisting ? acts : acts.slice(item * each, (item + 1) * each),
	);
	return { keys, repeatable };

	async function run(): Promise<{ acts: string[]; told: Told[]; error: string }> {
		const ledger = await Ledger.start(sandbox, write.spoken, write.batchField);
		const result = await prepared.run(ledger, calmly);
		await ledger.stop();
		return { acts: ledger.acts, told: toldOf(result, 'Node', 3), error: String(result.error?.message) };
	}
}

export interface Happened {
	told: Told[];
	acts: string[];
	/** Whether the data differs from before. */
	changed: boolean;
}

/** Each way in which what was told is not what happened. */
export function violationsOf(
	{ keys, repeatable }: Rehearsal,
	{ told, acts, changed }: Happened,
	returnExisting: boolean,
): string[] {
	const found: string[] = [];
	told.forEach((word, item) => word === 'nothing' && found.push(`item ${item} is told nothing`));
	const known = new Set(keys.flat());
	if (acts.some((key) => !known.has(key))) found.push(`nobody asked for ${acts.join(', ')}`);
	if (acts.length === 0 && changed) found.push('data changed though nothing was done');
	for (const key of new Set(keys.slice(0, told.length).flat())) {
		const words = told.filter((_, item) => keys[item]!.includes(key));
		const count = (wanted: Told): number => words.filter((word) => word === wanted).length;
		const [done, doubtful] = [count('done'), count('in doubt')];
		const most = returnExisting ? Math.min(done + doubtful, 1) : done + doubtful;
		const least = repeatable || returnExisting ? Math.min(done, 1) : done;
		const times = acts.filter((act) => act === key).length;
		const tooOften = times > most && !(repeatable && most > 0);
		if (times < least || tooOften) found.push(`${times} times happened what is told ${words.join(', ')}`);
	}
	return found;
}
