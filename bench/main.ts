/** Measures the built package: how fast it works beside a bare HTTP client, and what it costs n8n to load. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { measureThroughput } from './throughput.ts';

interface Load {
	modules: number;
	ms: number;
	heap: number;
	descriptions: Array<{ name: string; operations: number; bytes: number }>;
}

const LOADS = 5;

/** The fastest of several loads, each in a fresh process: the others were disturbed. */
function measureLoad(): Load {
	const loads = Array.from({ length: LOADS }, () => {
		const file = join(import.meta.dirname, 'load.ts');
		return JSON.parse(execFileSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' })) as Load;
	});
	return loads.sort((a, b) => a.ms - b.ms)[0]!;
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} kB`;

const { linkManager, plain, bare } = await measureThroughput();
const row = (name: string, value: string): string => `  ${name.padEnd(34)}${value.padStart(6)}`;
console.log('Requests per second to the sandbox, five at a time, median of seven rounds in turns:');
console.log(row('Link Manager on n8n-core', linkManager.toFixed(0)));
console.log(row('a plain node on n8n-core', plain.toFixed(0)));
console.log(row('undici alone', bare.toFixed(0)));
console.log(row('ratio: plain node / Link Manager', (plain / linkManager).toFixed(2)));
console.log(row('ratio: undici / Link Manager', (bare / linkManager).toFixed(2)));

const { modules, ms, heap, descriptions } = measureLoad();
console.log('\nLoading all nodes and credentials into a process that has n8n-workflow:');
console.log(`  ${modules} modules, ${ms.toFixed(0)} ms, ${kilobytes(heap)} of heap`);
for (const { name, operations, bytes } of descriptions) {
	const each = operations > 0 ? `, ${kilobytes(bytes / operations)} per operation` : '';
	console.log(`  ${name}: ${operations} operations, description of ${kilobytes(bytes)}${each}`);
}
