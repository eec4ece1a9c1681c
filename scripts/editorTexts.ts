/** The texts that only the editor shows: they stand in the descriptions that n8n loads, and the bundle does without. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** Where the table and its fields are declared. Elsewhere these names belong to errors. */
export const declarations =
	/[/\\]nodes[/\\](\w+[/\\](resources|fields|triggers)|runtime[/\\](fields|table))\b/;

const NAMES = ['action', 'description', 'example', 'hint', 'idExample', 'placeholder'];

/** A text in a source file, where it stands with what is to go with it, and what takes its place. */
interface EditorText {
	text: string;
	start: number;
	end: number;
	instead: string;
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
			found.push({ text: node.initializer.text, start: node.getFullStart(), end, instead: '' });
		}
		const whether = ts.isCallExpression(node) && node.expression.getText() === 'flag' && node.arguments[1];
		if (whether && ts.isStringLiteralLike(whether)) {
			const text = `Whether ${whether.text}`;
			found.push({ text, start: whether.getStart(), end: whether.getEnd(), instead: "''" });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
	return found;
}

/** Leaves them out of what is bundled. */
export const withoutEditorTexts: Plugin = {
	name: 'without-editor-texts',
	setup: ({ onLoad }) =>
		onLoad({ filter: declarations }, ({ path }) => {
			const source = readFileSync(path, 'utf8');
			const contents = editorTexts(source).reduceRight(
				(rest, { start, end, instead }) => rest.slice(0, start) + instead + rest.slice(end),
				source,
			);
			return { contents, loader: 'ts' };
		}),
};
