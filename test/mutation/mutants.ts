/** Generates mutants: small source changes that a test or the type check should detect. */
import ts from 'typescript';

export interface Mutant {
	file: string;
	/** The range of the changed expression or statement in the file, and its replacement. */
	start: number;
	end: number;
	changed: string;
	isStatement: boolean;
	/** For reports: the line and column of the change, and the text before and after. */
	line: string;
	column: number;
	before: string;
	replacement: string;
}

/** A key that stays the same when the line moves. */
export const keyOf = ({ file, line, column, before, replacement }: Mutant): string =>
	`${file} | ${line} | ${column}: ${before} → ${replacement}`;

/** Replacements of operators. The type check detects those with a wrong type. */
const OPERATORS = new Map([
	['===', '!=='],
	['!==', '==='],
	['<', '<='],
	['<=', '<'],
	['>', '>='],
	['>=', '>'],
	['&&', '||'],
	['||', '&&'],
	['??', '&&'],
	['+', '-'],
	['-', '+'],
	['*', '/'],
	['/', '*'],
	['+=', '-='],
]);

/** A syntax node, its replacement, and the part that differs. */
type Change = { node: ts.Node; changed: string; part?: ts.Node; replacement?: string };

/** Whether a literal is a type or a property name instead of a value. */
const isTypeOrName = ({ parent }: ts.Node, node: ts.Node): boolean =>
	ts.isLiteralTypeNode(parent) || (ts.isPropertyAssignment(parent) && parent.name === node);

function changeOf(node: ts.Node): Change | undefined {
	if (ts.isBinaryExpression(node)) {
		const { left, operatorToken, right } = node;
		const replacement = OPERATORS.get(operatorToken.getText());
		if (replacement === undefined) return undefined;
		const changed = `(${left.getText()}) ${replacement} (${right.getText()})`;
		return { node, changed, part: operatorToken, replacement };
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword && !isTypeOrName(node, node)) return { node, changed: 'false' };
	if (node.kind === ts.SyntaxKind.FalseKeyword && !isTypeOrName(node, node)) return { node, changed: 'true' };
	if (ts.isNumericLiteral(node) && !isTypeOrName(node, node)) return { node, changed: `${node.text} + 1` };
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		return { node, changed: node.operand.getText() };
	if (ts.isIfStatement(node)) return { node: node.expression, changed: 'false' };
	if (ts.isConditionalExpression(node)) return { node: node.condition, changed: 'true' };
	if (ts.isExpressionStatement(node) && /^(await )?[\w.]+\(/.test(node.getText()))
		return { node, changed: ';' };
	return undefined;
}

/** All mutants of a file. */
export function mutantsOf(file: string, text: string): Mutant[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const lines = text.split('\n');
	const found: Mutant[] = [];
	const visit = (node: ts.Node): void => {
		const change = changeOf(node);
		if (change) {
			const { part = change.node, replacement = change.changed } = change;
			const { line, character } = source.getLineAndCharacterOfPosition(part.getStart());
			found.push({
				file,
				start: change.node.getStart(),
				end: change.node.getEnd(),
				changed: change.changed,
				isStatement: ts.isExpressionStatement(change.node),
				line: lines[line]!.trim(),
				column: character,
				before: part.getText(),
				replacement,
			});
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** The text of a file with one mutant applied. */
export const withChange = (text: string, { start, end, changed, isStatement }: Mutant): string =>
	text.slice(0, start) + (isStatement ? changed : `(${changed})`) + text.slice(end);

/** A mutant with a number for its switch. */
export type Numbered = Mutant & { number: number };

const switchOf = ({ number, changed, isStatement }: Numbered, original: string): string => {
	const isOn = `globalThis.isMutant?.(${number})`;
	return isStatement ? `{ if (!${isOn}) ${original} }` : `(${isOn} ? (${changed}) : (${original}))`;
};

/** The text of a file in which each mutant can be switched on at run time, one at a time. */
export function withSwitches(text: string, mutants: Numbered[]): string {
	const outerFirst = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end);
	const render = (from: number, to: number, inside: Numbered[]): string => {
		const [first, ...others] = inside;
		if (!first) return text.slice(from, to);
		const within = others.filter(({ end }) => end <= first.end);
		const after = others.filter(({ start }) => start >= first.end);
		const original = render(first.start, first.end, within);
		return text.slice(from, first.start) + switchOf(first, original) + render(first.end, to, after);
	};
	return render(0, text.length, outerFirst);
}
