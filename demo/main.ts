/**
 * Runs the example workflows on n8n's engine against a fresh sandbox, each twice, and shows what came of it.
 * `npm run demo` builds the nodes first. Exit status 0 means that everything was made and answers.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText, parseArgs } from 'node:util';
import { CommandLineError, readCommandLine } from '../sandbox/commandLine.ts';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { createEngine } from '../engine/index.ts';
import { DemoError } from './failure.ts';
import { demonstrateFeedToShare } from './feed-to-share.ts';
import { ReaderAccount } from './reader-account.ts';
import { seconds } from './report.ts';
import { demonstrateScheduledLinks } from './scheduled-links.ts';
import { readWorkflow } from './workflows.ts';

const root = join(import.meta.dirname, '..');

const help = `Usage: npm run demo -- [--rate-limit COUNT/SECONDS|none] [--keep]

Runs workflows/scheduled-links.json and workflows/feed-to-share.json on n8n's engine against a sandbox of its own,
and runs each again. The link service allows 30 requests per minute. So that the demo waits for seconds instead of minutes, its sandbox
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
		console.log(`A fresh sandbox answers at ${sandbox.url}; its link service allows ${limit}.`);
		await demonstrate(sandbox);
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

async function demonstrate({ url, linksUrl, readerUrl }: Sandbox): Promise<void> {
	const user = { username: 'reader', password: 'sandbox-password' };
	const engine = await createEngine({
		packageDirs: [root],
		credentials: {
			linkManagerSandbox: {
				type: 'linkManagerApi',
				data: { baseUrl: linksUrl, apiKey: 'sandbox-api-key' },
			},
			newsReaderSandbox: { type: 'newsReaderSessionApi', data: { baseUrl: readerUrl, ...user } },
		},
	});
	try {
		await demonstrateScheduledLinks(engine);
		await demonstrateFeedToShare({
			engine,
			workflow: await readWorkflow('feed-to-share'),
			account: await ReaderAccount.logIn(readerUrl, user.username, user.password),
			origin: url,
		});
	} finally {
		await engine.close();
	}
}

async function untilStopped(url: string): Promise<void> {
	console.log(`The sandbox stays at ${url} until Ctrl+C.`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
	});
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
