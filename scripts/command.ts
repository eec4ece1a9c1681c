/** Parses the options of this repository's commands; prints help and errors; builds the package for those that need it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

/** An expected failure: the command prints the message without a stack trace and exits with status 1. */
export class CommandError extends Error {}

/** Invalid options: the command exits with status 2. */
export class UsageError extends CommandError {}

interface Option {
	/** Placeholder of the value in the help. An option without a placeholder is a flag. */
	value?: string;
	default?: string;
	help: string;
}

interface Command<Options extends Record<string, Option>> {
	/** The command as users type it, such as `npm run check`. */
	name: string;
	/** The description in the help. */
	description: string;
	options: Options;
	/** Whether to build the package first; `--no-build` skips that. */
	needsBuild?: boolean;
}

/** The value of each option; undefined if the option is missing and has no default. */
export type Values<Options> = {
	[Name in keyof Options]: Options[Name] extends { value: string }
		? Options[Name] extends { default: string }
			? string
			: string | undefined
		: boolean;
};

const noBuild = { 'no-build': { help: 'use the package as it was last built' } };

/** Parses the options, then runs the command. Prints the help for `--help`, and an error for unknown options. */
export async function runCommand<const Options extends Record<string, Option>>(
	command: Command<Options>,
	run: (values: Values<Options>) => Promise<void>,
): Promise<void> {
	const options: Record<string, Option> = { ...command.options, ...(command.needsBuild && noBuild) };
	try {
		const values = parseValues(options, process.argv.slice(2));
		if (values.help) return console.log(helpText(command, options));
		if (command.needsBuild && !values['no-build']) await buildPackage();
		await run(values as Values<Options>);
	} catch (error) {
		process.exitCode = error instanceof UsageError ? 2 : 1;
		if (error instanceof UsageError) console.error(`${error.message} See ${command.name} -- --help.`);
		else console.error(error instanceof CommandError ? error.message : error);
	}
}

function parseValues(options: Record<string, Option>, args: string[]): Record<string, unknown> {
	const config = Object.entries(options).map(([name, { value, default: preset }]) => [
		name,
		value === undefined ? { type: 'boolean', default: false } : { type: 'string', default: preset },
	]);
	try {
		return parseArgs({ args, options: { ...Object.fromEntries(config), help: { type: 'boolean' } } }).values;
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		// Drops the hints after the first sentence: these commands take no positional arguments.
		throw new UsageError(`${error.message.split(/\.? (?=To |This )|\.?\n/)[0]}.`);
	}
}

function helpText(
	{ name, description }: Command<Record<string, Option>>,
	options: Record<string, Option>,
): string {
	const rows = Object.entries({ ...options, help: { help: 'print this help' } as Option }).map(
		([option, { value, default: preset, help }]) => [
			value === undefined ? `--${option}` : `--${option} ${value}`,
			!preset ? help : `${help} (default ${preset})`,
		],
	);
	const width = Math.max(...rows.map(([option]) => option!.length));
	const lines = rows.map(([option, help]) => `  ${option!.padEnd(width)}  ${help}`);
	return [`Usage: ${name} -- [options]`, '', description, '', ...lines].join('\n');
}

/** Parses the value of an option as an integer of at least 1. */
export function parseCount(option: string, text: string): number {
	const count = Number(text);
	if (/^\d+$/.test(text) && count > 0) return count;
	throw new UsageError(`--${option} must be a whole number of at least 1, not "${text}".`);
}

/** Builds the package. Prints the build's output only if it fails. */
export async function buildPackage(): Promise<void> {
	const root = join(import.meta.dirname, '..');
	try {
		await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: root });
	} catch (error) {
		const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
		throw new CommandError(`The package could not be built.\n${`${stdout}\n${stderr}`.trim()}`);
	}
}
