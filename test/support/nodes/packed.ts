/** The files that `npm pack` puts into a package, and the expected ones. */
import { execFileSync } from 'node:child_process';

interface Packed {
	unpackedSize: number;
	/** Without the output schemas of the operations. */
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

/** The expected files of a package with only these nodes and credentials, sorted; `others` are more paths. */
export const expectedFiles = (nodes: string[], credentials: string[], others: string[]): string[] =>
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
