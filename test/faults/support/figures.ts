import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../support/nodes/built';
import type { Fault } from './faults';
import type { Stage } from './stages';

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
