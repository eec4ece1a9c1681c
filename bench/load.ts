/**
 * Loads the nodes and credentials of an installed package as n8n does, and prints the cost as JSON:
 * `node --expose-gc bench/load.ts <folder of the package> [<file>…]`. Without files, loads all that the package
 * registers.
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

export interface Load {
	milliseconds: number;
	/** Growth of the heap, in bytes. */
	heap: number;
	/** The loaded modules, relative to the package's folder. */
	modules: string[];
	/** The size of their files in bytes. */
	size: number;
	/** The number of node and credential types. */
	types: number;
}

const [folder = '', ...named] = process.argv.slice(2);
const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};
const files = named.length > 0 ? named : [...n8n.nodes, ...n8n.credentials];
const require = createRequire(join(folder, 'package.json'));

// n8n has already loaded this module.
require('n8n-workflow');
const loadedBefore = new Set(Object.keys(require.cache));
globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const startedAt = performance.now();

const instances = files.map((file) => {
	const [Type] = Object.values(require(join(folder, file)) as Record<string, new () => object>);
	return new Type!();
});

const milliseconds = performance.now() - startedAt;
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed - heapBefore;
const loaded = Object.keys(require.cache).filter((file) => !loadedBefore.has(file));
console.log(
	JSON.stringify({
		milliseconds,
		heap,
		modules: loaded.map((file) => relative(folder, file)),
		size: loaded.reduce((sum, file) => sum + statSync(file).size, 0),
		types: instances.length,
	} satisfies Load),
);
