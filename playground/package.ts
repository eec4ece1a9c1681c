/** Installs this package like n8n installs community packages: packs it, then installs it in `.n8n/nodes`. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './processes.ts';
import { CommandError } from '../scripts/command.ts';
import { root } from './settings.ts';

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];

/** Packs a built package like `npm publish`, by default the combined one. @returns the path of the file */
export async function packPackage(folder: string, from = root): Promise<string> {
	await mkdir(folder, { recursive: true });
	const { code, output } = await npm(
		['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
		from,
	);
	if (code !== 0) throw new CommandError(`The package could not be packed.\n${output.trim()}`);
	return join(folder, output.trim().split('\n').at(-1)!);
}

/** Installs a packed package in an n8n user folder, without peer dependencies as n8n does. @returns whether the package changed */
export async function installPackage(userFolder: string, packed: string): Promise<boolean> {
	const folder = join(userFolder, '.n8n', 'nodes');
	const marker = join(folder, '.installed');
	const digest = createHash('sha256')
		.update(await readFile(packed))
		.digest('hex');
	if (existsSync(marker) && (await readFile(marker, 'utf8')) === digest) return false;
	await mkdir(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest))
		await writeFile(manifest, `${JSON.stringify({ name: 'installed-nodes', private: true })}\n`);
	const { code, output } = await npm(['install', '--legacy-peer-deps', ...quiet, packed], folder);
	if (code !== 0) throw new CommandError(`The package could not be installed in n8n.\n${output.trim()}`);
	await writeFile(marker, digest);
	return true;
}
