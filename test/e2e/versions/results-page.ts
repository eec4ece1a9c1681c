/** Writes the results of the tests with other versions of n8n into the documentation. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../playground/settings.ts';

/** A test that passed. */
export interface PassedTest {
	/** The version of n8n. */
	version: string;
	name: string;
}

const page = join(root, 'docs/n8n-versions.md');

/** Writes the page of results. Tests that are not in `passedTests` failed. */
export async function writeResults(versions: string[], passedTests: PassedTest[]): Promise<void> {
	const date = new Date().toISOString().slice(0, 10);
	const passed = (version: string, name: string): boolean =>
		passedTests.some((test) => test.version === version && test.name === name);
	const rows = [...new Set(passedTests.map(({ name }) => name))].map((name) =>
		[name, ...versions.map((version) => (passed(version, name) ? 'passed' : 'failed'))].join(' | '),
	);
	const text = `# Versions of n8n

\`npm run test:versions\` installs the packed package in the two versions of n8n that the README names, and runs example workflows against the sandbox. It writes this page. Last run on ${date}, with Node.js ${process.version} on ${process.platform} ${process.arch}.

| The package | ${versions.map((version) => `n8n ${version}`).join(' | ')} |
| --- |${' --- |'.repeat(versions.length)}
${rows.map((row) => `| ${row} |`).join('\n')}

Everything else is tested with the newer one. Every night, this table is tried with the newest n8n.
`;
	await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}
