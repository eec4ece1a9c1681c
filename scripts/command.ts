/** The command line of this repository's commands: options, `--help`, and error messages. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

/** A failure that is explained by its message alone. The command prints that and ends with exit status 1. */
export class CommandError extends Error {}

/** Wrong options. Exit status 2. */
export class UsageError extends CommandError {}

interface Option {
	/** Placeholder of the value in the help. Without one the option is a switch. */
	value?: string;
	default?: string;
	help: string;
}

interface Command<Options extends Record<string, Option>> {
	/** As it is typed: `npm run check`. */
	name: string;
	/** Its purpose, for the help. */
	about: string;
	options: Options;
	/** Whether it uses the built package. It then builds first, unless `--no-build` is given. */
	builds?: boolean;
}

/** The value of each option; undefined if it is not given and has no default. */
export type Values<Options> = {
	[Name in keyof Options]: Options[Name] extends { value: string }
		? Options[Name] extends { default: string }
			? string
			: string | undefined
		: boolean;
};

const noBuild = { 'no-build': { help: 'use the package as it was last built' } };

/** Reads the options, then runs the command. With `--help` or unknown options it only prints. */
export async function runCommand<const Options extends Record<string, Option>>(
	command: Command<Options>,
	run: (values: Values<Options>) => Promise<void>,
): Promise<void> {
	const options: Record<string, Option> = { ...command.options, ...(command.builds && noBuild) };
	try {
		const values = valuesOf(options, process.argv.slice(2));
		if (values.help) return console.log(helpOf(command, options));
		if (command.builds && !values['no-build']) await buildPackage();
		await run(values as Values<Options>);
	} catch (error) {
		process.exitCode = error instanceof UsageError ? 2 : 1;
		if (error instanceof UsageError) console.error(`${error.message} See ${command.name} -- --help.`);
		else console.error(error instanceof CommandError ? error.message : error);
	}
}

function valuesOf(options: Record<string, Option>, args: string[]): Record<string, unknown> {
	const config = Object.entries(options).map(([name, { value, default: preset }]) => [
		name,
		value === undefined ? { type: 'boolean', default: false } : { type: 'string', default: preset },
	]);
	try {
		return parseArgs({ args, options: { ...Object.fromEntries(config), help: { type: 'boolean' } } }).values;
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		// Text after the first sentence describes a syntax that these commands do not have.
		throw new UsageError(`${error.message.split(/\.? (?=To |This )|\.?\n/)[0]}.`);
	}
}

function helpOf({ name, about }: Command<Record<string, Option>>, options: Record<string, Option>): string {
	const rows = Object.entries({ ...options, help: { help: 'print this help' } as Option }).map(
		([option, { value, default: preset, help }]) => [
			value === undefined ? `--${option}` : `--${option} ${value}`,
			preset === undefined ? help : `${help} (default ${preset})`,
		],
	);
	const width = Math.max(...rows.map(([option]) => option!.length));
	const lines = rows.map(([option, help]) => `  ${option!.padEnd(width)}  ${help}`);
	return [`Usage: ${name} -- [options]`, '', about, '', ...lines].join('\n');
}

/** Reads an option's value as a whole number of at least 1. */
export function countOf(option: string, text: string): number {
	const count = Number(text);
	if (/^\d+$/.test(text) && count > 0) return count;
	throw new UsageError(`--${option} must be a whole number of at least 1, not "${text}".`);
}

/** Builds the package; prints nothing unless that fails. */
export async function buildPackage(): Promise<void> {
	const root = join(import.meta.dirname, '..');
	const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
	try {
		await promisify(execFile)(process.execPath, [gulp, 'build'], { cwd: root });
	} catch (error) {
		const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
		throw new CommandError(`The package could not be built.\n${`${stdout}\n${stderr}`.trim()}`);
	}
}
