/**
 * Reads and writes `parameters.json` and `states.json`: what workflows and n8n's database store of this package.
 * `FREEZE=1 npx jest test/frozen` updates both. After the first release, they may only get new operations and events:
 * instead of changing an entry, give the node a new version, or continue to read the old form.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const isFreezing = process.env.FREEZE === '1';

/** The message about an operation or event that the files do not contain. */
export const newEntryMessage = (name: string): string =>
	`${name} is new: run FREEZE=1 npx jest test/frozen, and check that the diff only adds it`;

/** The content of a file in this folder. */
export function readFrozen<Content>(file: string): Content {
	const path = join(__dirname, file);
	return (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) as Content;
}

/** @param depth how deep objects have a line for each member; deeper ones are one line */
export const writeFrozen = (file: string, content: object, depth: number): void =>
	writeFileSync(join(__dirname, file), `${textOf(content, depth)}\n`);

/** As JSON with sorted keys, so that a diff shows only additions. */
function textOf(value: unknown, depth: number, indent = '\n'): string {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
	const [line, last] = depth > 0 ? [`${indent}\t`, indent] : [' ', ' '];
	const members = Object.entries(value)
		.sort(([one], [other]) => one.localeCompare(other, 'en'))
		.map(([key, member]) => `${line}${JSON.stringify(key)}: ${textOf(member, depth - 1, line)}`);
	return members.length === 0 ? '{}' : `{${members.join(',')}${last}}`;
}
