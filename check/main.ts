import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../engine/index.ts';
import { check } from './check.ts';
import { CheckError } from './failure.ts';
import { Host } from './host.ts';
import { askHidden, helpText, readOptions, type CheckOptions } from './options.ts';
import { countsOf, lineOf, markdownOf, type Report } from './report.ts';

const root = join(import.meta.dirname, '..');
const exitCodes = { failed: 1, badUsage: 2 };
const nodes = { linkManager: 'Link Manager', newsReader: 'News Reader' };

async function main(): Promise<void> {
	const ask = process.stdin.isTTY ? askHidden : undefined;
	const options = await readOptions(process.argv.slice(2), process.env, ask);
	if (options === 'help') console.log(helpText);
	else writeReport(await run(options), options.report);
}

/** Checks each host, and ends what it does when the user wants it: what was made is removed first. */
async function run({ accounts, write, feed, title }: CheckOptions): Promise<Report> {
	const ending = new AbortController();
	process.once('SIGINT', () => {
		console.log('Ending: what was made is removed first.');
		ending.abort();
	});
	const engine = await createEngine({ packageDirs: [root] });
	const services: Report['services'] = [];
	try {
		for (const account of accounts) {
			const host = new URL(account.baseUrl).origin;
			const node = nodes[account.service];
			console.log(`\n${node} on ${host}${write ? '' : ', reading only'}\n`);
			const checked = await check(new Host(engine, account), {
				write,
				feed,
				signal: ending.signal,
				onOutcome: (outcome) => console.log(lineOf(outcome)),
			});
			services.push({ node, host: title ?? host, ...checked });
			console.log(`\n${countsOf(checked.outcomes)}.`);
			for (const what of checked.left) console.log(`Left behind: ${what}. Remove it by hand.`);
		}
	} finally {
		await engine.close();
	}
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	return { version, date: new Date().toISOString().slice(0, 10), write, services };
}

function writeReport(report: Report, path: string): void {
	writeFileSync(`${path}.md`, markdownOf(report));
	writeFileSync(`${path}.json`, `${JSON.stringify(report, null, '\t')}\n`);
	console.log(`\nThe report is in ${path}.md and ${path}.json.`);
}

main().catch((error: unknown) => {
	process.exitCode = exitCodes.failed;
	if (!(error instanceof CheckError)) throw error;
	process.exitCode = exitCodes.badUsage;
	console.error(`${error.message} See npm run check -- --help.`);
});
