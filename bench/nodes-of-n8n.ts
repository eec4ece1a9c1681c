/** n8n's own nodes, from the playground's n8n. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IVersionedNodeType } from 'n8n-workflow';

const folder = join(import.meta.dirname, '../playground/node_modules/n8n-nodes-base/dist/nodes');

/** A node type by its name in workflows; undefined if the playground is not installed. */
export function nodeOfN8n(type: string, path: string): Record<string, IVersionedNodeType> {
	const file = join(folder, `${path}.node.js`);
	if (!existsSync(file)) return {};
	const [Type] = Object.values(createRequire(file)(file) as Record<string, new () => IVersionedNodeType>);
	return { [type]: new Type!() };
}
