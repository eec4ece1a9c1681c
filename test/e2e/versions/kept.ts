/** What a run of the tests with other versions of n8n says, kept for readers of the README's claim. */
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

/** Writes the page of what passed; what isn't on it failed, or was not tried. */
export async function keep(versions: string[], tried: Tried[]): Promise<void> {
	const date = new Date().toISOString().slice(0, 10);
	const passed = (version: string, what: string): boolean =>
		tried.some((one) => one.version === version && one.what === what);
	const rows = [...new Set(tried.map(({ what }) => what))].map((what) =>
		[what, ...versions.map((version) => (passed(version, what) ? 'passed' : 'failed'))].join(' | '),
	);
	const text = `# Versions of n8n

\`npm run test:versions\` installs the oldest and the newest n8n of the README’s claim, the packed package in each, and runs example workflows against the sandbox in it; it writes this page. Last on ${date}, with Node.js ${process.version} on ${process.platform} ${process.arch}.

| The package | ${versions.map((version) => `n8n ${version}`).join(' | ')} |
| --- |${' --- |'.repeat(versions.length)}
${rows.map((row) => `| ${row} |`).join('\n')}

What the triggers of version 0.1 saved is continued by today’s on n8n’s engine: \`test/compatibility\`. Everything else is tested with the pinned n8n of \`playground/package.json\`, and every night with the newest.
`;
	await writeFile(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}
