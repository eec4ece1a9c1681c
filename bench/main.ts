/** `npm run bench`: measures the built package compared with other nodes, and the cost of loading it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../scripts/command.ts';
import { measureItems } from './items.ts';
import { measureJobs } from './jobs.ts';
import type { Load } from './load.ts';
import { publish, type Results } from './pages.ts';
import { measureThroughput } from './throughput.ts';

const LOADS = 5;
const root = join(import.meta.dirname, '..');
const nodesOfN8n = join(root, 'playground/node_modules/n8n-nodes-base');

/** The fastest of several loads in new processes, because it was least affected by other load. */
function measureLoad(name: string, folder: string, ...files: string[]): Results['loads'][number] {
	const loads = Array.from({ length: LOADS }, () => {
		const script = join(import.meta.dirname, 'load.ts');
		const printed = execFileSync(process.execPath, ['--expose-gc', script, folder, ...files], {
			encoding: 'utf8',
		});
		return JSON.parse(printed) as Load;
	});
	const { modules, ...fastest } = loads.sort((a, b) => a.milliseconds - b.milliseconds)[0]!;
	return { name, ...fastest, modules: modules.length };
}

/** The cost of loading the package, and some of n8n's own nodes if they are installed. */
function measureLoads(): Results['loads'] {
	const ownLoad = measureLoad('all nodes and credentials', root);
	if (!existsSync(nodesOfN8n)) return [ownLoad];
	const others = [
		['n8n’s Gmail', 'Google/Gmail/Gmail'],
		['n8n’s HTTP Request', 'HttpRequest/HttpRequest'],
		['n8n’s RSS Read', 'RssFeedRead/RssFeedRead'],
	] as const;
	return [
		ownLoad,
		...others.map(([name, file]) => measureLoad(name, nodesOfN8n, `dist/nodes/${file}.node.js`)),
	];
}

await runCommand(
	{
		name: 'npm run bench',
		description:
			'Measures requests, throughput, time and memory per item, and what loading the package costs, next to other nodes.\nTakes minutes. Prints the figures as Markdown.',
		options: { write: { help: 'keep the figures in bench/results.json and write docs/performance.md' } },
		needsBuild: true,
	},
	async ({ write }) => {
		await publish('bench/results.json', await measure(), write);
		// The sandbox and n8n's engine leave timers running.
		process.exit();
	},
);

async function measure(): Promise<Results> {
	return {
		machine: {
			processor: cpus()[0]?.model.trim() ?? 'unknown',
			cores: cpus().length,
			memory: totalmem(),
			system: `${platform()} ${release()} ${arch()}`,
			node: process.version,
		},
		jobs: await measureJobs(),
		throughput: await measureThroughput(),
		items: await measureItems(),
		loads: measureLoads(),
	};
}
