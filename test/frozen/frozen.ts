/**
 * What workflows and n8n's database hold of this package, as the first release has it: `parameters.json` and
 * `states.json`. Until that release, `FREEZE=1 npx jest test/frozen` writes both anew. After it they never
 * change, but for what new operations and events add: give the node a new version, or read the old form as well.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const isFreezing = process.env.FREEZE === '1';

/** What to do about an operation or event that the files do not have. */
export const isNew = (name: string): string =>
	`${name} is new: run FREEZE=1 npx jest test/frozen, and check that the difference only adds it`;

/** What a file of this folder holds. */
export function frozen<Content>(file: string): Content {
	const path = join(__dirname, file);
	return (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) as Content;
}

export const freeze = (file: string, content: object): void =>
	writeFileSync(join(__dirname, file), `${JSON.stringify(content, withSortedKeys, '\t')}\n`);

/** Keys in order: a diff shows only what is new. */
const withSortedKeys = (_: string, value: unknown): unknown => {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one.localeCompare(other, 'en')));
};
