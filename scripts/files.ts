/** Writes and copies files; creates missing folders. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function write(file: string, content: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, content);
}

export function copy(from: string, to: string): void {
	mkdirSync(dirname(to), { recursive: true });
	cpSync(from, to);
}
