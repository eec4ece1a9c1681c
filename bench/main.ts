/** Measures the built package: how fast it works beside a bare HTTP client, and what it costs n8n to load. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Load } from './load.ts';
import { measureThroughput } from './throughput.ts';

const LOADS = 5;
const root = join(import.meta.dirname, '..');
const nodesOfN8n = join(root, 'playground/node_modules/n8n-nodes-base');

/** The fastest of several loads, each in a fresh process: the others were disturbed. */
function measureLoad(folder: string, ...files: string[]): Load {
	const loads = Array.from({ length: LOADS }, () => {
		const script = join(import.meta.dirname, 'load.ts');
		const printed = execFileSync(process.execPath, ['--expose-gc', script, folder, ...files], {
			encoding: 'utf8',
		});
		return JSON.parse(printed) as Load;
	});
	return loads.sort((a, b) => a.milliseconds - b.milliseconds)[0]!;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

function loadRow(name: string, { milliseconds, modules, heap, size }: Load): string {
	const figures = [`${milliseconds.toFixed(1)} ms`, modules.length, kilobytes(heap), kilobytes(size)];
	return `  ${name.padEnd(34)}${figures.map((figure) => String(figure).padStart(12)).join('')}`;
}

const { linkManager, plain, bare } = await measureThroughput();
const row = (name: string, value: string): string => `  ${name.padEnd(34)}${value.padStart(6)}`;
console.log('Requests per second to the sandbox, five at a time, median of seven rounds in turns:');
console.log(row('Link Manager on n8n-core', linkManager.toFixed(0)));
console.log(row('a plain node on n8n-core', plain.toFixed(0)));
console.log(row('undici alone', bare.toFixed(0)));
console.log(row('ratio: plain node / Link Manager', (plain / linkManager).toFixed(2)));
console.log(row('ratio: undici / Link Manager', (bare / linkManager).toFixed(2)));

console.log(
	'\nLoading into a process that has n8n-workflow: time, modules, heap and the size of the files read',
);
console.log(loadRow('all nodes and credentials', measureLoad(root)));
if (existsSync(nodesOfN8n)) {
	for (const [name, file] of [
		["n8n's Gmail", 'Google/Gmail/Gmail'],
		["n8n's HTTP Request", 'HttpRequest/HttpRequest'],
		["n8n's RSS Read", 'RssFeedRead/RssFeedRead'],
	] as const) {
		console.log(loadRow(name, measureLoad(nodesOfN8n, `dist/nodes/${file}.node.js`)));
	}
} else {
	console.log(
		"  n8n's own nodes are not installed here, so there is nothing to compare with: npm start installs them",
	);
}
