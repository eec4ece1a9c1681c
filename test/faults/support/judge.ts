/** Whether the reported stages of a run agree with the services' actions. */
import type { RestorableSandbox } from '../../support/hosts/restorable-sandbox';
import { Ledger } from './ledger';
import { stagesOf, type Stage } from './stages';
import type { HowToRun, Prepared, Write } from './writes';

/** What a write does when nothing goes wrong. */
export interface Rehearsal {
	/** For each item, or for each entry of one item, what the service does for it. */
	keys: string[][];
	/** Whether doing it twice has the same effect as doing it once. */
	repeatable: boolean;
}

const calmly: HowToRun = { onError: 'stopWorkflow', concurrency: 1, batchSize: 1, items: 3 };

/** Runs a write without faults. Throws unless all of it is done. */
export async function rehearse(prepared: Prepared, sandbox: RestorableSandbox): Promise<Rehearsal> {
	const { write } = prepared;
	const items = write.entries > 1 ? 1 : 3;
	const once = await run();
	const changes = sandbox.changes();
	const twice = await run();
	const repeatable = twice.reported.every((reported) => reported === 'done') && sandbox.changes() === changes;
	sandbox.restore();
	const { acts, reported } = once;
	const each = write.returnExisting ? acts.length : acts.length / reported.length;
	if (
		!reported.every((word) => word === 'done') ||
		each === 0 ||
		!Number.isInteger(each) ||
		(write.returnExisting && each > 1)
	) {
		throw new Error(
			`${write.name} is not carried out: ${JSON.stringify([reported, acts])} ${once.error}. Its values are in test/support/cases/fixtures.ts`,
		);
	}
	// Older servers add feeds one by one, which no request repeats.
	const isOldWay = acts[0]!.includes('/reader/add_url');
	if (write.row.idempotent && !repeatable && !isOldWay)
		throw new Error(`${write.name} done twice is not as done once`);
	const keys = reported.map((_, item) =>
		write.returnExisting ? acts : acts.slice(item * each, (item + 1) * each),
	);
	return { keys, repeatable };

	async function run(): Promise<{ acts: string[]; reported: Stage[]; error: string }> {
		const ledger = await Ledger.start(sandbox, write.service, write.entryFields);
		const result = await prepared.run(ledger, calmly);
		await ledger.stop();
		return {
			acts: ledger.acts,
			reported: stagesOf(result, 'Node', items, write.entries),
			error: String(result.error?.message),
		};
	}
}

export interface Happened {
	reported: Stage[];
	acts: string[];
	/** What of it was confirmed by a response that came as it was sent, and what arrived at all. */
	confirmed: ReadonlySet<string>;
	arrived: ReadonlySet<string>;
	/** Whether the data differs from before. */
	changed: boolean;
}

/** Every reported stage that differs from what happened. */
export function violationsOf(
	{ keys, repeatable }: Rehearsal,
	{ reported, acts, confirmed, arrived, changed }: Happened,
	{ returnExisting, entries, row }: Pick<Write, 'returnExisting' | 'entries' | 'row'>,
): string[] {
	const found: string[] = [];
	if (entries > 1)
		reported.forEach((word, entry) => {
			const [key = ''] = keys[entry]!;
			// What a batch asks for afterwards can fail.
			if (confirmed.has(key) && word !== 'done' && !row.batch?.send)
				found.push(`entry ${entry} was confirmed, and is reported as ${word}`);
			if (!arrived.has(key) && word !== 'not done')
				found.push(`entry ${entry} was not sent, and is reported as ${word}`);
		});
	reported.forEach((word, item) => word === 'nothing' && found.push(`item ${item} has no stage`));
	const known = new Set(keys.flat());
	if (acts.some((key) => !known.has(key))) found.push(`nobody asked for ${acts.join(', ')}`);
	if (acts.length === 0 && changed) found.push('data changed though nothing was done');
	for (const key of new Set(keys.slice(0, reported.length).flat())) {
		const words = reported.filter((_, item) => keys[item]!.includes(key));
		const count = (wanted: Stage): number => words.filter((word) => word === wanted).length;
		const [done, doubtful] = [count('done'), count('in doubt')];
		const most = returnExisting ? Math.min(done + doubtful, 1) : done + doubtful;
		const least = repeatable || returnExisting ? Math.min(done, 1) : done;
		const times = acts.filter((act) => act === key).length;
		const tooOften = times > most && !(repeatable && most > 0);
		if (times < least || tooOften) found.push(`${times} writes happened, reported as ${words.join(', ')}`);
	}
	return found;
}
