/** The options of the check; secrets come from options, the environment or the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, UsageError, type Values } from '../scripts/command.ts';
import type { Account } from './host.ts';

export interface CheckOptions {
	accounts: Account[];
	/** Whether the check may create, use and remove records. */
	write: boolean;
	/** Address of a feed to which the reader account is not subscribed. The check writes only to this feed. */
	feed?: string;
	/** Path of the reports, without extension. */
	report: string;
	/** Name of the host in the report. Default: its address. */
	title?: string;
}

export const about = `Runs the operations of the nodes that only read against a host, with --write most others, too, and reports which of them work there. Give --reader and --user, or --links.
It asks for the password and the API key, unless they are in the environment: READER_PASSWORD, LINKS_API_KEY.`;

export const flags = {
	reader: { value: 'URL', help: 'base URL of a news reader service' },
	user: { value: 'NAME', help: 'user name of the account' },
	password: { value: 'TEXT', help: 'its password; others on this machine can see it' },
	links: { value: 'URL', help: 'base URL of a link management service' },
	key: { value: 'TEXT', help: 'its API key; others on this machine can see it' },
	scheme: { value: 'WORD', default: 'Bearer', help: 'the Scheme of its credential: Bearer, Token or None' },
	write: { help: 'also create, use and remove records named after the check' },
	feed: { value: 'URL', help: 'with --write, for the reader: a feed to subscribe to and unsubscribe from' },
	report: {
		value: 'FILE',
		default: 'compatibility-report',
		help: 'where to write the report, without extension',
	},
	title: { value: 'TEXT', help: 'name of the host in the report; its address otherwise' },
} as const;

/** Prompts for a secret; undefined without a terminal. */
export type Prompt = ((question: string) => Promise<string>) | undefined;

/** Completes the options. @throws UsageError if one is missing or invalid */
export async function readOptions(
	given: Values<typeof flags>,
	env: NodeJS.ProcessEnv,
	prompt: Prompt,
): Promise<CheckOptions> {
	if (!given.reader && !given.links) throw new UsageError('Name the host to check: --reader or --links.');
	if (given.feed && !given.write) throw new UsageError('--feed needs --write.');
	if (!['Bearer', 'Token', 'None'].includes(given.scheme))
		throw new UsageError('--scheme must be Bearer, Token or None.');
	const secret = async (flag: 'password' | 'key', variable: string) =>
		given[flag] ?? env[variable] ?? (await promptFor(prompt, flag, variable));
	const accounts: Account[] = [];
	// The reader first: it may refuse the feed, which ends the check.
	if (given.reader) {
		if (!given.user) throw new UsageError('The user name is missing: --user.');
		const password = await secret('password', 'READER_PASSWORD');
		accounts.push({
			service: 'newsReader',
			baseUrl: given.reader,
			secret: password,
			username: given.user,
		});
	}
	if (given.links) {
		const key = await secret('key', 'LINKS_API_KEY');
		accounts.push({ service: 'linkManager', baseUrl: given.links, secret: key, scheme: given.scheme });
	}
	const invalid = accounts.find(({ baseUrl }) => !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl));
	if (invalid) throw new UsageError(`"${invalid.baseUrl}" is not a web address.`);
	const { write, feed, report, title } = given;
	return { accounts, write, feed, report, title };
}

async function promptFor(prompt: Prompt, flag: string, variable: string): Promise<string> {
	if (!prompt) throw new UsageError(`The ${flag} is missing: set ${variable} in the environment.`);
	return await prompt(`${flag === 'key' ? 'API key' : 'Password'}: `);
}

/** Prompts in the terminal without showing the input. */
export async function promptHidden(question: string): Promise<string> {
	process.stdout.write(question);
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
	try {
		return await terminal.question('');
	} catch (error) {
		if ((error as Error).name !== 'AbortError') throw error;
		// Ctrl+C or Ctrl+D.
		throw new CommandError('Nothing was checked.');
	} finally {
		terminal.close();
		process.stdout.write('\n');
	}
}
