/** File and folder names are kebab-case unless another tool prescribes the name. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** Folders that are not source code of the project. */
const others = ['.git', 'node_modules', 'dist', 'build', 'coverage', '.data'];

/** Matches `story-hashes.test.ts`, `.prettierrc.json`, `fast-xml-parser` and `0.1`. */
const kebabCase = /^\.?[a-z\d]+(-[a-z\d]+)*(\.[a-z\d]+(-[a-z\d]+)*)*$/;

/** Names that n8n, npm or GitHub prescribe. */
const prescribed = [
	/^(LinkManager|NewsReader)(Trigger)?(\.node\.(ts|json))?$/,
	/^\w+\.credentials\.ts$/,
	/^(linkManager|newsReader)(\.dark)?\.svg$/,
	/^__schema__$/,
	/^(CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|README|SECURITY)\.md$/,
	/^(LICENSE|CODEOWNERS|ISSUE_TEMPLATE|PULL_REQUEST_TEMPLATE\.md)$/,
];

function namesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !others.includes(name))
		.flatMap((entry) => [entry.name, ...(entry.isDirectory() ? namesIn(join(folder, entry.name)) : [])]);
}

it('are kebab-case', () => {
	const names = namesIn(root);
	expect(names.length).toBeGreaterThan(500);
	expect(
		names.filter((name) => !kebabCase.test(name) && !prescribed.some((form) => form.test(name))),
	).toEqual([]);
});

it.each(['linkClient.ts', 'Link.ts', 'link_client.ts', 'link--client.ts', 'TestCase'])(
	'%s is rejected',
	(name) => expect(kebabCase.test(name) || prescribed.some((form) => form.test(name))).toBe(false),
);
