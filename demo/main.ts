/** `npm run demo`: runs example workflows twice against a new sandbox and shows the results. */
import { join } from 'node:path';
import { styleText } from 'node:util';
import { CommandLineError, readCommandLine } from '../sandbox/command-line.ts';
import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts';
import { newestVariant, type SandboxOptions } from '../sandbox/shared/options.ts';
import { createEngine } from '../engine/index.ts';
import { runCommand, UsageError } from '../scripts/command.ts';
import { demonstrateFeedToShare } from './feed-to-share.ts';
import { ReaderAccount } from './reader-account.ts';
import { seconds } from './report.ts';
import { demonstrateScheduledLinks } from './scheduled-links.ts';
import { readWorkflow } from './workflows.ts';

const root = join(import.meta.dirname, '..');

/** Runs the examples in a new sandbox. `rateLimit` is COUNT/SECONDS or none. */
async function run(rateLimitText: string, keep: boolean): Promise<void> {
	const options = readSandboxOptions(rateLimitText);
	const startedAt = performance.now();
	const sandbox = await startSandbox(options);
	try {
		const { rateLimit } = options;
		const limit = rateLimit
			? `${rateLimit.count} requests per ${rateLimit.seconds} seconds`
			: 'any number of requests';
		console.log(
			`A new sandbox runs at ${sandbox.url}. Its link service allows ${limit}. Two workflows run, each twice.`,
		);
		await demonstrate(sandbox);
		console.log(styleText('green', `\nEverything worked, in ${seconds(startedAt)}.`));
		if (keep) await untilStopped(sandbox.url);
		else console.log('The sandbox ends now, and its links with it; --keep keeps it running.');
	} finally {
		await sandbox.close();
	}
}

function readSandboxOptions(rateLimit: string): Partial<SandboxOptions> {
	try {
		return readCommandLine([
			...['--port', '0', '--rate-limit', rateLimit, '--variant', newestVariant],
		]) as Partial<SandboxOptions>;
	} catch (error) {
		throw error instanceof CommandLineError ? new UsageError(error.message) : error;
	}
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

await runCommand(
	{
		name: 'npm run demo',
		description: `Runs workflows/scheduled-links.json and workflows/feed-to-share.json on n8n's engine against a sandbox of their own, each twice.
The link service's own limit is 30 requests per minute; the demo's sandbox allows more, so that it waits seconds, not minutes.`,
		options: {
			'rate-limit': {
				value: 'COUNT/SECONDS|none',
				default: '60/5',
				help: "the sandbox's limit for the link service",
			},
			keep: { help: 'keep the sandbox running afterwards, until Ctrl+C' },
		},
		needsBuild: true,
	},
	async (options) => await run(options['rate-limit'], options.keep),
);
