/** Compares the stages that a run reports with what the services did. */
import type { RestorableSandbox } from '../../support/hosts/database';
import { Ledger } from './ledger';
import { stagesOf, type Stage } from './stages';
import type { Prepared, RunSettings, Write } from './writes';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../support/nodes/built';
import type { Fault } from './faults';

/** What a write does without faults. */
export interface Rehearsal {
	/** For each item, or for each entry of one item, the keys of the writes that the service does. */
	keys: string[][];
	/** Whether doing it twice has the same effect as doing it once. */
	repeatable: boolean;
}

const plainRun: RunSettings = { onError: 'stopWorkflow', batchSize: 1, items: 3 };

/** Runs a write without faults. @throws unless all items are done */
export async function rehearse(prepared: Prepared, sandbox: RestorableSandbox): Promise<Rehearsal> {
	const { write } = prepared;
	const items = write.entries > 1 ? 1 : 3;
	const once = await run();
	const changes = sandbox.changes();
	const twice = await run();
	const repeatable = twice.reported.every((reported) => reported === 'done') && sandbox.changes() === changes;
	sandbox.restore();
	const { acts, reported } = once;
	const perItem = write.returnExisting ? acts.length : acts.length / reported.length;
	if (
		!reported.every((word) => word === 'done') ||
		perItem === 0 ||
		!Number.isInteger(perItem) ||
		(write.returnExisting && perItem > 1)
	) {
		throw new Error(
			`${write.name} is not done without faults: ${JSON.stringify([reported, acts])} ${once.error}. Correct its values in the fixtures of its file in cases`,
		);
	}
	if (write.row.idempotent && !repeatable)
		throw new Error(
			`${write.name} is not idempotent: running it twice changed other data than running it once`,
		);
	const keys = reported.map((_, item) =>
		write.returnExisting ? acts : acts.slice(item * perItem, (item + 1) * perItem),
	);
	return { keys, repeatable };

	async function run(): Promise<{ acts: string[]; reported: Stage[]; error: string }> {
		const ledger = await Ledger.start(sandbox, write.service, write.entryFields);
		const result = await prepared.run(ledger, plainRun);
		await ledger.stop();
		return {
			acts: ledger.acts,
			reported: stagesOf(result, 'Node', items, write.entries),
			error: String(result.error?.message),
		};
	}
}

export interface Observed {
	reported: Stage[];
	acts: string[];
	/** The keys of writes whose unchanged response reached the node. */
	confirmed: ReadonlySet<string>;
	/** The keys of writes whose request reached the host. */
	arrived: ReadonlySet<string>;
	/** Whether the data of the service changed. */
	changed: boolean;
}

/** Every reported stage that contradicts what the service did. */
export function violationsOf(
	{ keys, repeatable }: Rehearsal,
	{ reported, acts, confirmed, arrived, changed }: Observed,
	{ returnExisting, entries, row }: Pick<Write, 'returnExisting' | 'entries' | 'row'>,
): string[] {
	const violations: string[] = [];
	if (entries > 1)
		reported.forEach((word, entry) => {
			const [key = ''] = keys[entry]!;
			// The requests that a batch sends afterwards can fail.
			if (confirmed.has(key) && word !== 'done' && !row.batch?.send)
				violations.push(`entry ${entry} was confirmed, but is reported as ${word}`);
			if (!arrived.has(key) && word !== 'not done')
				violations.push(`entry ${entry} was not sent, but is reported as ${word}`);
		});
	reported.forEach((word, item) => word === 'nothing' && violations.push(`item ${item} has no stage`));
	const known = new Set(keys.flat());
	if (acts.some((key) => !known.has(key)))
		violations.push(`the service did unexpected writes: ${acts.join(', ')}`);
	if (acts.length === 0 && changed) violations.push('the data changed although the service did no write');
	for (const key of new Set(keys.slice(0, reported.length).flat())) {
		const words = reported.filter((_, item) => keys[item]!.includes(key));
		const count = (stage: Stage): number => words.filter((word) => word === stage).length;
		const [done, doubtful] = [count('done'), count('in doubt')];
		const maximum = returnExisting ? Math.min(done + doubtful, 1) : done + doubtful;
		const minimum = repeatable || returnExisting ? Math.min(done, 1) : done;
		const times = acts.filter((act) => act === key).length;
		const isTooOften = times > maximum && !(repeatable && maximum > 0);
		if (times < minimum || isTooOften)
			violations.push(`the service did ${times} writes, reported as ${words.join(', ')}`);
	}
	return violations;
}

const page = join(root, 'docs/reliability.md');
const [start, end] = ['<!-- figures: start -->', '<!-- figures: end -->'];

/** Counts of all runs, for the documentation. */
export class Figures {
	violations = 0;
	private runs = 0;
	private readonly faults = { before: 0, after: 0, refused: 0 };
	private readonly reported = { done: 0, 'in doubt': 0, 'not done': 0, nothing: 0 };

	add(broken: Fault[], reported: Stage[]): void {
		this.runs += 1;
		for (const { moment } of broken) this.faults[moment] += 1;
		for (const word of reported) this.reported[word] += 1;
	}

	/** Writes the counts into docs/reliability.md. */
	async write(): Promise<void> {
		const { before, after, refused } = this.faults;
		const rows = {
			Runs: this.runs,
			'Faults before the service acted': before + refused,
			'Faults after it acted': after,
			'Items and entries reported as done': this.reported.done,
			'Items and entries reported as in doubt': this.reported['in doubt'],
			'Items and entries reported as not done': this.reported['not done'],
			'Reported wrongly': this.violations,
		};
		const [head = '', tail = ''] = (await readFile(page, 'utf8')).split(new RegExp(`${start}[^]*${end}`));
		await writeFile(page, `${head}${start}\n\n${tableOf(rows)}\n\n${end}${tail}`);
	}
}

/** A Markdown table in Prettier's format. */
function tableOf(rows: Record<string, number>): string {
	const cells = Object.entries(rows).map(([name, count]) => [name, count.toLocaleString('en')] as const);
	const all = [['Figure', 'Count'] as const, ...cells];
	const [wide = 0, narrow = 0] = [0, 1].map((column) => Math.max(...all.map((row) => row[column]!.length)));
	const [heading, ...lines] = all.map(
		([name, count]) => `| ${name.padEnd(wide)} | ${count.padStart(narrow)} |`,
	);
	return [heading, `| ${'-'.repeat(wide)} | ${'-'.repeat(narrow - 1)}: |`, ...lines].join('\n');
}
