/** `npm run check`: runs every operation against a host. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createEngine } from '../engine/index.ts';
import { CommandError, runCommand } from '../scripts/command.ts';
import { linkManager, newsReader } from '../scripts/services.ts';
import { Host } from './host.ts';
import { about, promptHidden, flags, readOptions, type CheckOptions } from './options.ts';
import { isWorking } from './outcome.ts';
import { UnfinishedFile, countsOf, kindOf, lineOf, markdownOf, type Report } from './report.ts';

const root = join(import.meta.dirname, '..');
const services = { linkManager, newsReader };

/** Checks each host. Once `signal` is aborted, only removes its records. */
async function run(
	{ accounts, write, feed, title, report }: CheckOptions,
	signal: AbortSignal,
): Promise<Report> {
	// Imported here, because it imports the built tables.
	const { check } = await import('./check.ts');
	const engine = await createEngine({ packageDirs: [root] });
	const unfinished = new UnfinishedFile(report);
	const results: Report['services'] = [];
	try {
		for (const account of accounts) {
			const { origin: address, host, hostname } = new URL(account.baseUrl);
			const node = services[account.service].displayName;
			console.log(`\n${node} on ${address}${write ? '' : ', reading only'}\n`);
			const baseUrl = account.baseUrl.replace(/\/+$/, '');
			const name = `${account.service} ${baseUrl} ${account.username ?? ''}`.trim();
			const waitingTime = new WaitingTime();
			const checked = await check(new Host(engine, account), {
				write,
				feed,
				signal,
				unfinished: unfinished.get(name),
				onStart: (operation) => waitingTime.start(operation),
				onOutcome: (outcome) => console.log(lineOf(outcome)),
				onChange: (state) => unfinished.set(name, state),
			}).finally(() => waitingTime.stop());
			const titled = (text: string) =>
				title === undefined ? text : text.replaceAll(host, () => title).replaceAll(hostname, () => title);
			const outcomes = checked.outcomes.map(({ details, ...outcome }) => ({
				...outcome,
				details: details.map(titled),
			}));
			results.push({ ...checked, node, host: title ?? address, outcomes, left: checked.left.map(titled) });
			console.log(`\n${countsOf(checked.outcomes)}.`);
			for (const sentence of kindOf(checked)) console.log(sentence);
			for (const record of checked.left) console.log(`Left behind: ${record}. Remove it by hand.`);
		}
	} finally {
		await engine.close();
	}
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	return { version, date: new Date().toISOString().slice(0, 10), write, services: results };
}

/** Prints every ten seconds how long an operation has been waiting for the rate limit. */
class WaitingTime {
	#timer?: NodeJS.Timeout;

	start(operation: string): void {
		this.stop();
		let seconds = 0;
		this.#timer = setInterval(() => {
			seconds += 10;
			console.log(`  waiting for ${operation}, ${seconds} s so far; the host limits requests`);
		}, 10_000);
	}

	stop(): void {
		clearInterval(this.#timer);
	}
}

function writeReport(report: Report, path: string): void {
	writeFileSync(`${path}.md`, markdownOf(report));
	writeFileSync(`${path}.json`, `${JSON.stringify(report, null, '\t')}\n`);
	console.log(`\nThe report is in ${path}.md and ${path}.json.`);
}

await runCommand(
	{ name: 'npm run check', description: about, options: flags, needsBuild: true },
	async (given) => {
		const prompt = process.stdin.isTTY ? promptHidden : undefined;
		const options = await readOptions(given, process.env, prompt);
		mkdirSync(dirname(options.report), { recursive: true });
		const controller = new AbortController();
		process.once('SIGINT', () => {
			console.log('Stopping. The records of this check are removed first.');
			controller.abort();
		});
		const report = await run(options, controller.signal);
		writeReport(report, options.report);
		if (controller.signal.aborted) throw new CommandError('The check was stopped before its end.');
		const useless = report.services.find(({ outcomes }) => !outcomes.some(isWorking));
		if (useless) throw new CommandError(`Nothing works for the ${useless.node} on ${useless.host}.`);
	},
);
