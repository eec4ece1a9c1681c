/** Installs n8n with npm, once. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled, npm, run, type Ended } from './processes.ts';
import { CommandError } from '../scripts/command.ts';
import { dataFolder, pinnedFolder } from './settings.ts';

const neededGigabytes = 4;
/** Disk space of an installed n8n. */
const sizeGigabytes = 2.6;
/** npm knows `allowScripts` of package.json since this version. */
const npmWithAllowScripts = 11;
const oldestNpm = 9;

export type Say = (line: string) => void;

/** The folder in which n8n is installed; installs it there if need be. Throws a `CommandError`. */
export async function installN8n(version: string | undefined, say: Say): Promise<string> {
	const folder = version === undefined ? pinnedFolder : await folderOf(version);
	const marker = join(folder, 'node_modules', '.installed');
	const wanted = await digest(join(folder, version === undefined ? 'package-lock.json' : 'package.json'));
	if (existsSync(marker) && (await readFile(marker, 'utf8')) === wanted) return folder;
	await checkDisk(folder);
	const npmVersion = await checkNpm();
	const name = version === undefined ? 'the pinned n8n' : `n8n ${version}`;
	say(`Installing ${name} in ${folder}. The first time takes three to ten minutes and ${sizeGigabytes} GB.`);
	const ended = await withProgress(say, folder, () =>
		install(folder, version === undefined ? 'ci' : 'install', npmVersion),
	);
	if (ended.code !== 0) throw explained(name, ended);
	await checkDatabaseDriver(folder);
	await writeFile(marker, wanted);
	return folder;
}

/** A folder for another version than the pinned one: the same package.json, another version, no lock. */
async function folderOf(version: string): Promise<string> {
	const folder = join(dataFolder, 'versions', version.replace(/[^\w.-]/g, '_'));
	await mkdir(folder, { recursive: true });
	const { overrides, ...rest } = JSON.parse(await readFile(join(pinnedFolder, 'package.json'), 'utf8')) as {
		overrides: object;
	};
	const wanted = {
		...rest,
		dependencies: { n8n: version },
		// Before 2.32 n8n has it from an address outside the registry, which not every machine reaches.
		overrides: { ...overrides, xlsx: '0.18.5' },
	};
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(wanted, null, '\t')}\n`);
	const npmrc = join(pinnedFolder, '.npmrc');
	if (existsSync(npmrc)) await copyFile(npmrc, join(folder, '.npmrc'));
	return folder;
}

async function digest(file: string): Promise<string> {
	return createHash('sha256')
		.update(await readFile(file))
		.digest('hex');
}

async function freeGigabytes(folder: string): Promise<number> {
	const { bavail, bsize } = await statfs(folder);
	return (Number(bavail) * Number(bsize)) / 1e9;
}

async function checkDisk(folder: string): Promise<void> {
	const gigabytes = await freeGigabytes(folder);
	if (gigabytes >= neededGigabytes) return;
	throw new CommandError(
		`There are only ${gigabytes.toFixed(1)} GB free at ${folder}. n8n needs ${neededGigabytes} GB while it installs: make room and start again.`,
	);
}

async function checkNpm(): Promise<number> {
	const { output } = await npm(['--version'], pinnedFolder);
	const major = Number.parseInt(output, 10);
	if (major >= oldestNpm) return major;
	throw new CommandError(
		`npm ${output.trim()} is too old to install n8n. Update it with "npm install --global npm@latest" and start again.`,
	);
}

/** Runs no install script but the database driver's, which compiles it if there is no prebuilt one. */
async function install(folder: string, command: 'ci' | 'install', npmVersion: number): Promise<Ended> {
	const quiet = ['--no-audit', '--no-fund'];
	if (npmVersion >= npmWithAllowScripts) return await npm([command, ...quiet], folder);
	const installed = await npm([command, '--ignore-scripts', ...quiet], folder);
	return installed.code === 0 ? await npm(['rebuild', 'sqlite3'], folder) : installed;
}

/** Prints progress every ten seconds, measured by the disk space used: npm prints nothing until it is done. */
async function withProgress<T>(say: Say, folder: string, work: () => Promise<T>): Promise<T> {
	const startedAt = Date.now();
	let mostFree = await freeGigabytes(folder);
	const report = async () => {
		const free = await freeGigabytes(folder);
		// npm first removes what another version left, which frees space.
		mostFree = Math.max(mostFree, free);
		say(`  ${elapsed(startedAt)}  ${progress(mostFree - free)}`);
	};
	const timer = setInterval(() => void report(), 10_000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}

/** npm's cache takes space too, so the size is reached before npm is done. */
const progress = (gigabytes: number): string =>
	Number(gigabytes.toFixed(1)) < sizeGigabytes
		? `about ${gigabytes.toFixed(1)} of ${sizeGigabytes} GB`
		: 'downloaded; npm is still unpacking and building, which takes one to three minutes';

export function elapsed(since: number): string {
	const seconds = Math.round((Date.now() - since) / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** npm reports success also when the driver could not be made. */
async function checkDatabaseDriver(folder: string): Promise<void> {
	const { code, output } = await run(process.execPath, ['-e', "require('sqlite3')"], { cwd: folder });
	if (code === 0) return;
	await rm(join(folder, 'node_modules', 'sqlite3', 'build'), { recursive: true, force: true });
	throw explained('its database driver (sqlite3)', { code, output });
}

/** The last lines of npm's output, with advice. */
function explained(name: string, { output }: Ended): CommandError {
	const tail = output.trim().split('\n').slice(-12).join('\n');
	const advice = adviceFor(output);
	return new CommandError(`${name} could not be installed. ${advice}\n\nnpm's last lines were:\n${tail}`);
}

function adviceFor(output: string): string {
	if (/ENOSPC/.test(output)) return 'The disk is full: make room and start again.';
	if (/ETARGET|E404|No matching version/.test(output))
		return 'The registry lacks that version, or a part of it: choose another with --n8n.';
	if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED/.test(output))
		return 'The npm registry could not be reached: check the connection and start again.';
	const missing = [
		...(isInstalled('python3') ? [] : ['python3']),
		...(isInstalled('make') ? [] : ['make']),
		...(isInstalled('g++') || isInstalled('c++') || isInstalled('clang++') ? [] : ['a C++ compiler']),
	];
	if (missing.length > 0) {
		const tools = new Intl.ListFormat('en').format(missing);
		return `It cannot be compiled without ${tools}. On Debian: "sudo apt-get install build-essential python3"; on macOS: "xcode-select --install". Then start again.`;
	}
	return 'Remove its node_modules folder and start again.';
}
