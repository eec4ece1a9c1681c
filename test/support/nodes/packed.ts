/** What `npm pack` puts into a package, and what belongs there. */
import { execFileSync } from 'node:child_process';

interface Packed {
	unpackedSize: number;
	/** Without the schemas of the operations' output. */
	files: string[];
	schemas: string[];
}

export function packedFiles(folder: string): Packed {
	const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
	const [{ unpackedSize, files }] = JSON.parse(
		execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }),
	) as [{ unpackedSize: number; files: Array<{ path: string }> }];
	const paths = files.map(({ path }) => path).sort();
	return {
		unpackedSize,
		files: paths.filter((path) => !path.includes('__schema__')),
		schemas: paths.filter((path) => path.includes('__schema__')),
	};
}

/** The files of a package with these nodes and credentials and nothing else, sorted; `others` are named as they are. */
export const filesFor = (nodes: string[], credentials: string[], others: string[]): string[] =>
	[
		...['LICENSE', 'README.md', 'package.json', 'dist/nodes/newslink.js', ...others],
		...credentials.map((name) => `dist/credentials/${name}.credentials.js`),
		...nodes.flatMap((node) => {
			const icon = node.charAt(0).toLowerCase() + node.slice(1);
			const types = [node, `${node}Trigger`].flatMap((type) =>
				['node.js', 'node.json', 'description.json'].map((end) => `${type}.${end}`),
			);
			return [`${icon}.svg`, `${icon}.dark.svg`, ...types].map((file) => `dist/nodes/${node}/${file}`);
		}),
	].sort();

/** Of the bundled libraries. */
export const LIBRARY_FILES = [
	'dist/THIRD-PARTY-NOTICES',
	'dist/nodes/libraries/fast-xml-parser.js',
	'dist/nodes/libraries/html-to-text.js',
];
