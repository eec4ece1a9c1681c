/** Loads the built package as n8n does, in a process of its own, and prints what that took as JSON. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { n8n } = require('../package.json') as { n8n: { nodes: string[]; credentials: string[] } };

// n8n has this loaded long before.
require('n8n-workflow');
const loadedBefore = new Set(Object.keys(require.cache));
globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const startedAt = performance.now();

const nodes = n8n.nodes.map((file) => {
	const exported = require(join(root, file)) as Record<string, new () => INodeType>;
	const [NodeType] = Object.values(exported);
	return new NodeType!();
});
for (const file of n8n.credentials) require(join(root, file));

const ms = performance.now() - startedAt;
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed - heapBefore;
const modules = Object.keys(require.cache).filter((file) => !loadedBefore.has(file)).length;
const descriptions = nodes.map(({ description }) => ({
	name: description.displayName,
	operations: description.properties
		.filter(({ name }) => name === 'operation')
		.reduce((sum, { options = [] }) => sum + options.length, 0),
	bytes: Buffer.byteLength(JSON.stringify(description)),
}));
console.log(JSON.stringify({ modules, ms, heap, descriptions }));
