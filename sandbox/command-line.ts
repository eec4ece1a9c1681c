import { parseArgs } from 'node:util';
import { services } from './start-sandbox.ts';
import { variants, type RateLimit, type SandboxOptions } from './shared/options.ts';
import { defaultOptions } from './shared/start-server.ts';
import type { Difference } from './shared/service.ts';

/** An invalid option; the message is shown to the user. */
export class CommandLineError extends Error {}

/** All names for `--wild NAME`. */
const differenceNames = services.flatMap(({ differences }) => differences.map(({ name }) => name));

interface Flag {
	/** Placeholder of the value in the help; undefined for a flag without a value. */
	value?: string;
	multiple?: true;
	help: string;
	/** Converts the values to options. */
	read(values: string[]): Partial<SandboxOptions>;
}

const flags: Record<string, Flag> = {
	port: {
		value: 'PORT',
		help: `port to listen on at 127.0.0.1; 0 takes a free one (default ${defaultOptions.port})`,
		read: ([port = '']) => ({ port: readPort(port) }),
	},
	data: {
		value: 'FILE',
		help: 'SQLite file for all data, created if missing (default: none; the data is in memory and lost at the end)',
		read: ([data = '']) => ({ data: readFile(data) }),
	},
	variant: {
		value: variants.join('|'),
		help: 'respond like the interface documents (contract), like real hosts in July 2024 (wild), or with a reader like that of autumn 2026 (default contract)',
		read: ([variant = '']) => ({ variant: oneOf('variant', variants, variant) }),
	},
	wild: {
		value: 'NAME',
		multiple: true,
		help: 'switch on a difference of single hosts; may be given several times (names below)',
		read: (names) => ({ wild: names.map((name) => oneOf('wild', differenceNames, name)) }),
	},
	'rate-limit': {
		value: 'COUNT/SECONDS|none',
		help: "the link service's limit per account; SECONDS may be a fraction; none also lifts the news reader's limits (default 30/60)",
		read: ([limit = '']) => ({ rateLimit: readRateLimit(limit) }),
	},
	plan: {
		value: 'free|premium|archive',
		help: `plan of the news reader's accounts (default ${defaultOptions.plan})`,
		read: ([plan = '']) => ({ plan: oneOf('plan', ['free', 'premium', 'archive'], plan) }),
	},
	'allow-private': {
		help: "fetch feeds and logos from private addresses too, not only from public ones and the sandbox's own",
		read: () => ({ allowPrivate: true }),
	},
};

/** Parses the command line. @throws CommandLineError */
export function readCommandLine(args: string[]): Partial<SandboxOptions> | 'help' {
	const values = parse(args);
	if (values.help === true) return 'help';
	return Object.assign(
		{},
		...Object.entries(flags).map(([name, flag]) => {
			const value = values[name];
			return value === undefined ? {} : flag.read([value].flat().map(String));
		}),
	) as Partial<SandboxOptions>;
}

function parse(args: string[]): Record<string, unknown> {
	const options = Object.fromEntries(
		Object.entries(flags).map(([name, { value, multiple = false }]) => [
			name,
			{ type: value === undefined ? ('boolean' as const) : ('string' as const), multiple },
		]),
	);
	try {
		return parseArgs({ args, options: { ...options, help: { type: 'boolean' as const } } }).values;
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw new CommandLineError(message.replace(/\.?$/, '.'));
	}
}

export function helpText(): string {
	const rows = Object.entries(flags).map(([name, { value, help }]): [string, string] => [
		value === undefined ? `--${name}` : `--${name} ${value}`,
		help,
	]);
	return [
		'Usage: npm run sandbox -- [options]',
		'',
		'Runs the link service and the news reader service on this machine, with state, at 127.0.0.1 only.',
		'When ready it prints one line with its addresses. SIGTERM or Ctrl+C stops it.',
		'',
		table([...rows, ['--help', 'show this help']]),
		...services.flatMap(({ title, differences, help }) => [
			'',
			`${title}:`,
			...help.map((line) => `  ${line}`),
			...(differences.length === 0 ? [] : [differencesHelp(differences)]),
		]),
	].join('\n');
}

const differencesHelp = (differences: readonly Difference[]): string =>
	[
		'  Differences of single hosts, for --wild NAME:',
		table(differences.map(({ name, description }) => [`  ${name}`, description])),
	].join('\n');

function table(rows: [string, string][]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** SQLite would keep the data of an empty name in a temporary file, and delete it at the end. */
function readFile(name: string): string {
	if (name !== '') return name;
	throw new CommandLineError('--data needs the name of a file.');
}

function readPort(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port <= 65_535) return port;
	throw new CommandLineError(`--port must be a number from 0 to 65535, not "${text}".`);
}

function readRateLimit(text: string): RateLimit | null {
	if (text === 'none') return null;
	const [, count, seconds] = /^([1-9]\d*)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
	if (Number(seconds) > 0) return { count: Number(count), seconds: Number(seconds) };
	throw new CommandLineError(`--rate-limit must be COUNT/SECONDS such as 30/60, or none, not "${text}".`);
}

function oneOf<const Value extends string>(flag: string, values: readonly Value[], text: string): Value {
	const value = values.find((candidate) => candidate === text);
	if (value !== undefined) return value;
	throw new CommandLineError(`--${flag} must be one of ${values.join(', ')}, not "${text}".`);
}
