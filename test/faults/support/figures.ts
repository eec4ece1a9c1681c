import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../support/built';
import type { Fault } from './faults';
import type { Told } from './told';

const page = join(root, 'docs/reliability.md');
const [start, end] = ['<!-- figures: start -->', '<!-- figures: end -->'];

/** What came of all runs, for the documentation. */
export class Figures {
	violations = 0;
	private runs = 0;
	private readonly faults = { before: 0, after: 0, refused: 0 };
	private readonly told = { done: 0, 'in doubt': 0, 'not done': 0, nothing: 0 };

	add(broken: Fault[], told: Told[]): void {
		this.runs += 1;
		for (const { moment } of broken) this.faults[moment] += 1;
		for (const word of told) this.told[word] += 1;
	}

	/** Writes them into the page on reliability. */
	async write(): Promise<void> {
		const { before, after, refused } = this.faults;
		const rows = {
			Runs: this.runs,
			'Faults before the service acted': before + refused,
			'Faults after it acted': after,
			'Items told done': this.told.done,
			'Items told in doubt': this.told['in doubt'],
			'Items told not done': this.told['not done'],
			'Items of which something else was told than happened': this.violations,
		};
		const table = Object.entries(rows).map(([name, count]) => `| ${name} | ${count.toLocaleString('en')} |`);
		const [head = '', tail = ''] = (await readFile(page, 'utf8')).split(new RegExp(`${start}[^]*${end}`));
		const text = `${head}${start}\n\n| Figure | Count |\n| --- | ---: |\n${table.join('\n')}\n\n${end}${tail}`;
		await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
	}
}
