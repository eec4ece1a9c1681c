/** The command line of the check, and where its secrets come from. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { CheckError } from './failure.ts';
import type { Account } from './host.ts';

export interface CheckOptions {
	accounts: Account[];
	/** Whether records may be made, used and removed. */
	write: boolean;
	/** The address of a feed that the reader account isn't subscribed to; what is written in the reader is written there. */
	feed?: string;
	/** Path of the reports, without extension. */
	report: string;
	/** What the report calls the host, in place of its address. */
	title?: string;
}

export const helpText = `Usage: npm run check -- --reader URL --user NAME | --links URL  [options]

Runs every operation of the nodes against a host and says which of them work there.

  --reader URL     base URL of a news reader service
  --user NAME      user name there
  --links URL      base URL of a link management service
  --write          also make, use and remove records of the check's own, named so; otherwise nothing is changed
  --feed URL       with --write, for the reader: a feed to subscribe to for the check, and to leave again
  --report FILE    where to write the report, without extension (default compatibility-report)
  --title TEXT     how the report calls the host; its address otherwise
  --help           show this help

The password and the API key are asked for, unless they are in the environment: READER_PASSWORD, LINKS_API_KEY.
They can also be given as --password and --key, where others on this machine may see them.`;

const texts = ['reader', 'user', 'password', 'links', 'key', 'feed', 'report', 'title'] as const;
const flags = ['write', 'help'] as const;

/** How a secret is asked for; undefined where nobody can answer. */
export type Ask = ((question: string) => Promise<string>) | undefined;

/** Reads the command line. @throws CheckError that says what is missing */
export async function readOptions(
	args: string[],
	env: NodeJS.ProcessEnv,
	ask: Ask,
): Promise<CheckOptions | 'help'> {
	const given = parse(args);
	if (given.help) return 'help';
	if (!given.reader && !given.links) throw new CheckError('Say which host to check: --reader or --links.');
	if (given.feed && !given.write) throw new CheckError('--feed is for --write.');
	const secret = async (flag: 'password' | 'key', variable: string) =>
		given[flag] ?? env[variable] ?? (await askFor(ask, flag, variable));
	const accounts: Account[] = [];
	if (given.links) {
		const key = await secret('key', 'LINKS_API_KEY');
		accounts.push({ service: 'linkManager', baseUrl: given.links, secret: key });
	}
	if (given.reader) {
		if (!given.user) throw new CheckError('Say who reads there: --user.');
		const password = await secret('password', 'READER_PASSWORD');
		accounts.push({
			service: 'newsReader',
			baseUrl: given.reader,
			secret: password,
			username: given.user,
		});
	}
	const wrong = accounts.find(({ baseUrl }) => !/^https?:/.test(baseUrl) || !URL.canParse(baseUrl));
	if (wrong) throw new CheckError(`"${wrong.baseUrl}" is not a web address.`);
	const { write = false, feed, report = 'compatibility-report', title } = given;
	return { accounts, write, feed, report, title };
}

type Given = Partial<Record<(typeof texts)[number], string> & Record<(typeof flags)[number], boolean>>;

function parse(args: string[]): Given {
	const options = Object.fromEntries([
		...texts.map((name) => [name, { type: 'string' as const }]),
		...flags.map((name) => [name, { type: 'boolean' as const }]),
	]) as Record<string, { type: 'string' | 'boolean' }>;
	try {
		return parseArgs({ args, options }).values as Given;
	} catch (error) {
		throw new CheckError(error instanceof Error ? error.message : String(error));
	}
}

async function askFor(ask: Ask, flag: string, variable: string): Promise<string> {
	if (!ask) throw new CheckError(`The ${flag} is missing: put it into the environment as ${variable}.`);
	return await ask(`${flag === 'key' ? 'API key' : 'Password'}: `);
}

/** Asks in the terminal without showing what is typed. */
export async function askHidden(question: string): Promise<string> {
	process.stdout.write(question);
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
	try {
		return await terminal.question('');
	} finally {
		terminal.close();
		process.stdout.write('\n');
	}
}
