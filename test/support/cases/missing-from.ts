import { existsSync } from 'node:fs';

/** A message for each of `expected` that is not in `actual`. `file` names the file to edit. */
export function missingFrom(actual: string[], expected: string[], file: string): string[] {
	const [path = ''] = /(nodes|test|docs|cases|check|sandbox)\/[\w./-]*\w/.exec(file) ?? [];
	if (!existsSync(path)) throw new Error(`There is no ${path || file}`);
	return expected.filter((key) => !actual.includes(key)).map((key) => `${key} is missing: add it to ${file}`);
}
