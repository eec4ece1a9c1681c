/**
 * Runs the example workflow on n8n's engine against a fresh sandbox, twice, and shows what came of it.
 * `npm run demo` builds the nodes first. Exit status 0 means that everything was made and answers.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText, parseArgs } from 'node:util';
import { CommandLineError, readCommandLine } from '../sandbox/commandLine.ts';
import { startSandbox } from '../sandbox/server.ts';
import { createEngine, type Engine, type RunResult, type WorkflowJson } from './engine.ts';
import { DemoError } from './failure.ts';
import { follow, madeBy, type Made } from './proof.ts';
import { readReadingList, readWorkflow, withReadingList } from './reading-list.ts';

const root = join(import.meta.dirname, '..');

const help = `Usage: npm run demo -- [--rate-limit COUNT/SECONDS|none] [--keep]

Runs workflows/scheduled-links.json on n8n's engine against a sandbox of its own, and runs it again.
The service allows 30 requests per minute. So that the demo waits for seconds instead of minutes, its sandbox
allows 60 requests per 5 seconds, unless --rate-limit says otherwise.
With --keep the sandbox goes on answering afterwards, until Ctrl+C.`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			'rate-limit': { type: 'string', default: '60/5' },
			keep: { type: 'boolean', default: false },
			help: { type: 'boolean' },
		},
	});
	const options = readCommandLine(['--port', '0', '--rate-limit', values['rate-limit']]);
	if (values.help || options === 'help') return console.log(help);
	await checkBuild();
	const startedAt = performance.now();
	const sandbox = await startSandbox(options);
	try {
		const { rateLimit } = options;
		const limit = rateLimit
			? `${rateLimit.count} requests per ${rateLimit.seconds} seconds`
			: 'any number of requests';
		console.log(`A fresh sandbox answers at ${sandbox.linksUrl}; it allows ${limit}.`);
		await demonstrate(sandbox.linksUrl);
		console.log(styleText('green', `\nAll of it worked, in ${seconds(startedAt)}.`));
		if (values.keep) await untilStopped(sandbox.url);
	} finally {
		await sandbox.close();
	}
}

/** All that package.json registers must have been built. */
async function checkBuild(): Promise<void> {
	const { n8n } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
		n8n: Record<'nodes' | 'credentials', string[]>;
	};
	const missing = [...n8n.nodes, ...n8n.credentials].filter((file) => !existsSync(join(root, file)));
	if (missing.length === 0) return;
	throw new DemoError(`${missing.join(', ')} is not built. Use "npm run demo", which builds first.`);
}

async function demonstrate(baseUrl: string): Promise<void> {
	const list = await readReadingList();
	const workflow = withReadingList(await readWorkflow(), list);
	const engine = await createEngine({
		packageDirs: [root],
		credentials: {
			linkManagerSandbox: { type: 'linkManagerApi', data: { baseUrl, apiKey: 'sandbox-api-key' } },
		},
	});

	const first = await run(engine, workflow, `"${workflow.name}" runs on n8n's engine:`);
	const made = madeBy(first, list);
	if (made.length !== list.articles.length) {
		throw new DemoError(`${made.length} short links were made for ${list.articles.length} articles.`);
	}
	printTable(made);

	const targets = await Promise.all(made.map(follow));
	console.log(`All ${made.length} short URLs and QR codes answer. The first three lead to:`);
	for (const [index, { shortUrl }] of made.slice(0, 3).entries())
		console.log(`  ${shortUrl}\n    → ${targets[index]}`);

	const second = await run(engine, workflow, '\nThe next morning it runs again:');
	const existed = second.json('Short Link').filter((link) => link.existed === true).length;
	const listed = second.json('List Links');
	const clicks = listed.reduce((sum, link) => sum + Number(link.clicks), 0);
	console.log(
		`${existed} short links were there already, nothing was made twice; ${clicks} visits were counted.`,
	);
	const ids = new Set(listed.map(({ id }) => id));
	if (existed !== made.length || ids.size !== made.length || clicks !== made.length) {
		throw new DemoError(`The second run should have found ${made.length} links with one visit each.`);
	}
}

/** A scheduled execution, as n8n starts it; each node is reported when it is done. */
async function run(engine: Engine, workflow: WorkflowJson, title: string): Promise<RunResult> {
	console.log(title);
	let startedAt = performance.now();
	const result = await engine.run({
		workflow,
		mode: 'trigger',
		startNode: 'Every Morning',
		input: [{ timestamp: new Date().toISOString() }],
		onNodeFinished: (node, outputs) => {
			const count = outputs.flat().length;
			console.log(
				`  ${node.padEnd(16)}${String(count).padStart(3)} ${count === 1 ? 'item ' : 'items'}  ${seconds(startedAt)}`,
			);
			startedAt = performance.now();
		},
	});
	const { error } = result;
	if (error) {
		const node = 'node' in error && error.node ? ` at the node "${error.node.name}"` : '';
		const details = 'description' in error && error.description ? ` ${error.description}` : '';
		throw new DemoError(`The workflow stopped${node}: ${error.message}.${details}`);
	}
	for (const { name } of workflow.nodes) {
		for (const hint of result.hints(name)) console.log(`  ${name}: ${hint.message}`);
	}
	return result;
}

function printTable(made: Made[]): void {
	const rows = made.map(({ article, shortUrl, qrUrl }) => [
		shorten(article.title, 34),
		article.channel,
		shortUrl,
		qrUrl.slice(qrUrl.indexOf('/qr/')),
	]);
	const widths = [34, 12, Math.max(...made.map(({ shortUrl }) => shortUrl.length)), 0];
	const line = (cells: string[]) =>
		`  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`;
	console.log(styleText('bold', `\n${line(['Article', 'Channel', 'Short URL', 'QR code'])}`));
	for (const cells of rows) console.log(line(cells));
	console.log();
}

function shorten(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

async function untilStopped(url: string): Promise<void> {
	console.log(`The sandbox stays at ${url} until Ctrl+C.`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
	});
}

function seconds(since: number): string {
	return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** Expected failures in a sentence, anything else whole. */
function fail(error: unknown): void {
	process.exitCode = 1;
	const isExpected = error instanceof DemoError || error instanceof CommandLineError;
	const isBadUsage =
		error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
	console.error(isExpected || isBadUsage ? `\nThe demo did not work. ${error.message}` : error);
}

main().catch(fail);
