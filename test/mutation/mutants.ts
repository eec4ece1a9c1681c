/** Small changes to the sources. A test or the type check ought to notice each of them. */
import ts from 'typescript';

export interface Mutant {
	file: string;
	/** The expression or statement that changes: where it is in the file, and what replaces it. */
	start: number;
	end: number;
	changed: string;
	isStatement: boolean;
	/** The line that it begins in, and where in that line; what changes there, and into what. For people. */
	line: string;
	column: number;
	was: string;
	becomes: string;
}

/** Names a mutant, however far its line moves. */
export const keyOf = ({ file, line, column, was, becomes }: Mutant): string =>
	`${file} | ${line} | ${column}: ${was} → ${becomes}`;

/** What replaces an operator; what is of the wrong type then, the type check notices. */
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

/** A node, what replaces it, and the part of it that differs. */
type Change = { node: ts.Node; changed: string; part?: ts.Node; becomes?: string };

/** Whether a literal is a type or the name of a property, which is no value. */
const isNoValue = ({ parent }: ts.Node, node: ts.Node): boolean =>
	ts.isLiteralTypeNode(parent) || (ts.isPropertyAssignment(parent) && parent.name === node);

function changeOf(node: ts.Node): Change | undefined {
	if (ts.isBinaryExpression(node)) {
		const { left, operatorToken, right } = node;
		const becomes = OPERATORS.get(operatorToken.getText());
		if (becomes === undefined) return undefined;
		const changed = `(${left.getText()}) ${becomes} (${right.getText()})`;
		return { node, changed, part: operatorToken, becomes };
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword && !isNoValue(node, node)) return { node, changed: 'false' };
	if (node.kind === ts.SyntaxKind.FalseKeyword && !isNoValue(node, node)) return { node, changed: 'true' };
	if (ts.isNumericLiteral(node) && !isNoValue(node, node)) return { node, changed: `${node.text} + 1` };
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		return { node, changed: node.operand.getText() };
	if (ts.isIfStatement(node)) return { node: node.expression, changed: 'false' };
	if (ts.isConditionalExpression(node)) return { node: node.condition, changed: 'true' };
	if (ts.isExpressionStatement(node) && /^(await )?[\w.]+\(/.test(node.getText()))
		return { node, changed: ';' };
	return undefined;
}

/** All that can be changed in a file. */
export function mutantsOf(file: string, text: string): Mutant[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const lines = text.split('\n');
	const found: Mutant[] = [];
	const visit = (node: ts.Node): void => {
		const change = changeOf(node);
		if (change) {
			const { part = change.node, becomes = change.changed } = change;
			const { line, character } = source.getLineAndCharacterOfPosition(part.getStart());
			found.push({
				file,
				start: change.node.getStart(),
				end: change.node.getEnd(),
				changed: change.changed,
				isStatement: ts.isExpressionStatement(change.node),
				line: lines[line]!.trim(),
				column: character,
				was: part.getText(),
				becomes,
			});
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** The text of a file with this change made. */
export const withChange = (text: string, { start, end, changed, isStatement }: Mutant): string =>
	text.slice(0, start) + (isStatement ? changed : `(${changed})`) + text.slice(end);

/** A mutant with the number of its switch. */
export type Numbered = Mutant & { number: number };

const switchOf = ({ number, changed, isStatement }: Numbered, own: string): string => {
	const isOn = `globalThis.isMutant?.(${number})`;
	return isStatement ? `{ if (!${isOn}) ${own} }` : `(${isOn} ? (${changed}) : (${own}))`;
};

/** The text of a file in which each of its mutants can be switched on while it runs. Only one is at a time. */
export function withSwitches(text: string, mutants: Numbered[]): string {
	const outerFirst = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end);
	const render = (from: number, to: number, inside: Numbered[]): string => {
		const [first, ...others] = inside;
		if (!first) return text.slice(from, to);
		const within = others.filter(({ end }) => end <= first.end);
		const after = others.filter(({ start }) => start >= first.end);
		const own = render(first.start, first.end, within);
		return text.slice(from, first.start) + switchOf(first, own) + render(first.end, to, after);
	};
	return render(0, text.length, outerFirst);
}
