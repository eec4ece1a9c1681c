/** Installs n8n with npm unless it is already installed. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled, npm, run, type ProcessResult } from './processes.ts';
import { CommandError } from '../scripts/command.ts';
import { dataFolder, pinnedFolder } from './settings.ts';

const neededGigabytes = 4;
/** Disk space that n8n needs. */
const sizeGigabytes = 2.6;
/** The first npm version that supports `allowScripts` in package.json. */
const npmWithAllowScripts = 11;
const oldestNpm = 9;

export type Log = (line: string) => void;

/** Installs n8n if necessary. @returns the folder of the installation @throws CommandError */
export async function installN8n(version: string | undefined, log: Log): Promise<string> {
	const folder = version === undefined ? pinnedFolder : await folderOf(version);
	const marker = join(folder, 'node_modules', '.installed');
	const expectedMarker = await digest(
		join(folder, version === undefined ? 'package-lock.json' : 'package.json'),
	);
	if (existsSync(marker) && (await readFile(marker, 'utf8')) === expectedMarker) return folder;
	await checkDisk(folder);
	const npmVersion = await checkNpm();
	const name = version === undefined ? 'the pinned n8n' : `n8n ${version}`;
	log(`Installing ${name} in ${folder}. The first time takes three to ten minutes and ${sizeGigabytes} GB.`);
	const result = await withProgress(log, folder, () =>
		install(folder, version === undefined ? 'ci' : 'install', npmVersion),
	);
	if (result.code !== 0) throw explained(name, folder, result);
	await checkDatabaseDriver(folder);
	await writeFile(marker, expectedMarker);
	return folder;
}

/** Prepares a folder for a version that is not pinned: the same package.json with another version, and no lock file. */
async function folderOf(version: string): Promise<string> {
	const folder = join(dataFolder, 'versions', version.replace(/[^\w.-]/g, '_'));
	await mkdir(folder, { recursive: true });
	const { overrides, ...rest } = JSON.parse(await readFile(join(pinnedFolder, 'package.json'), 'utf8')) as {
		overrides: object;
	};
	const wanted = {
		...rest,
		dependencies: { n8n: version },
		// Versions before 2.32 load it from a URL outside the registry, which some networks block.
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

/** Runs only the install script of the database driver, which compiles it if there is no prebuilt binary. */
async function install(
	folder: string,
	command: 'ci' | 'install',
	npmVersion: number,
): Promise<ProcessResult> {
	const quiet = ['--no-audit', '--no-fund'];
	if (npmVersion >= npmWithAllowScripts) return await npm([command, ...quiet], folder);
	const installed = await npm([command, '--ignore-scripts', ...quiet], folder);
	return installed.code === 0 ? await npm(['rebuild', 'sqlite3'], folder) : installed;
}

/** Prints progress every ten seconds. npm prints nothing before the end, so progress is the used disk space. */
async function withProgress<T>(log: Log, folder: string, work: () => Promise<T>): Promise<T> {
	const startedAt = Date.now();
	let maxFree = await freeGigabytes(folder);
	const report = async () => {
		const free = await freeGigabytes(folder);
		// npm first removes the files of another version, which frees space.
		maxFree = Math.max(maxFree, free);
		log(`  ${secondsSince(startedAt)}  ${progress(maxFree - free)}`);
	};
	const timer = setInterval(() => void report(), 10_000);
	// npm itself goes on for a minute after Ctrl+C, and a second start in that minute would fail.
	const stop = () => process.exit(130);
	process.once('SIGINT', stop);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		process.off('SIGINT', stop);
	}
}

/** npm's cache also takes space, so the expected size is reached before npm finishes. */
const progress = (gigabytes: number): string =>
	Number(gigabytes.toFixed(1)) < sizeGigabytes
		? `about ${gigabytes.toFixed(1)} of ${sizeGigabytes} GB`
		: 'downloaded; npm is still unpacking and building, which takes one to three minutes';

export function secondsSince(since: number): string {
	const seconds = Math.round((Date.now() - since) / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** npm reports success even if the driver could not be compiled. */
async function checkDatabaseDriver(folder: string): Promise<void> {
	const { code, output } = await run(process.execPath, ['-e', "require('sqlite3')"], { cwd: folder });
	if (code === 0) return;
	await rm(join(folder, 'node_modules', 'sqlite3', 'build'), { recursive: true, force: true });
	throw explained('its database driver (sqlite3)', folder, { code, output });
}

/** The last lines of npm's output, with advice. */
function explained(name: string, folder: string, { output }: ProcessResult): CommandError {
	const tail = output.trim().split('\n').slice(-12).join('\n');
	const advice = adviceFor(output, folder);
	return new CommandError(`${name} could not be installed. ${advice}\n\nnpm's last lines were:\n${tail}`);
}

function adviceFor(output: string, folder: string): string {
	if (/ENOSPC/.test(output)) return 'The disk is full: make room and start again.';
	if (/ETARGET|E404|No matching version/.test(output))
		return 'The registry lacks that version, or a part of it: choose another with --n8n.';
	// Without the driver's prebuilt binary, which is not in the registry, npm compiles it.
	const withoutPrebuilt = output.replaceAll(/.*prebuild-install.*/g, '');
	if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED/.test(withoutPrebuilt))
		return 'The npm registry or nodejs.org could not be reached: check the connection and start again.';
	if (/gyp ERR!/.test(output) && /\s/.test(folder))
		return 'It cannot be compiled in a folder whose path contains a space: move the clone and start again.';
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
