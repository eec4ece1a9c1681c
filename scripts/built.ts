/** Loads what `npm run build` has compiled into `build`: Node.js can't import the sources. */
import { createRequire } from 'node:module';
import type { INodeType } from 'n8n-workflow';

const require = createRequire(import.meta.url);

/** The tables of operations. */
export const builtTables = (): typeof import('../nodes/tables') =>
	require('../build/tables.js') as typeof import('../nodes/tables');

/** A node: `NewsReaderTrigger` in the folder `NewsReader`. */
export function builtNode(folder: string, type: string): INodeType {
	const classes = require(`../build/${folder}/${type}.node.js`) as Record<string, new () => INodeType>;
	return new classes[type]!();
}
