/** Writes the results of the tests with other versions of n8n into the documentation. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../../../playground/settings.ts';

/** Something that passed. */
export interface Tried {
	/** Of n8n. */
	version: string;
	what: string;
}

const page = join(root, 'docs/n8n-versions.md');

/** Writes the page of results. What isn't among `tried` failed. */
export async function keep(versions: string[], tried: Tried[]): Promise<void> {
	const date = new Date().toISOString().slice(0, 10);
	const passed = (version: string, what: string): boolean =>
		tried.some((one) => one.version === version && one.what === what);
	const rows = [...new Set(tried.map(({ what }) => what))].map((what) =>
		[what, ...versions.map((version) => (passed(version, what) ? 'passed' : 'failed'))].join(' | '),
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
