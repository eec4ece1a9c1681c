/** The texts that only the editor shows: they stand in the descriptions that n8n loads, and the bundle does without. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** Where the table and its fields are declared. Elsewhere these names belong to errors. */
export const declarations =
	/[/\\]nodes[/\\](\w+[/\\](resources|fields|triggers)|runtime[/\\](fields|table))\b/;

const NAMES = ['action', 'description', 'example', 'hint', 'idExample', 'placeholder'];

/** A text in a source file, and where its whole property stands. */
interface EditorText {
	text: string;
	start: number;
	end: number;
}

/** The texts for the editor in a source file, in their order. */
export function editorTexts(source: string): EditorText[] {
	const found: EditorText[] = [];
	const visit = (node: ts.Node): void => {
		if (
			ts.isPropertyAssignment(node) &&
			ts.isIdentifier(node.name) &&
			NAMES.includes(node.name.text) &&
			ts.isStringLiteralLike(node.initializer)
		) {
			const end = source[node.end] === ',' ? node.end + 1 : node.end;
			found.push({ text: node.initializer.text, start: node.getFullStart(), end });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
	return found;
}

/** Leaves them out of what is bundled. */
export const withoutEditorTexts: Plugin = {
	name: 'without-editor-texts',
	setup: ({ onLoad }) =>
		onLoad({ filter: declarations }, ({ path }) => {
			const source = readFileSync(path, 'utf8');
			const contents = editorTexts(source).reduceRight(
				(rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
				source,
			);
			return { contents, loader: 'ts' };
		}),
};
