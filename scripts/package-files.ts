import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The part of a package.json that the build reads. */
export interface Manifest {
	name: string;
	/** Paths of the files that n8n loads, such as `dist/nodes/LinkManager/LinkManager.node.js`. */
	n8n: { nodes: string[]; credentials: string[] };
}

/** Writes a file; creates its folder. */
export function write(file: string, content: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, content);
}
