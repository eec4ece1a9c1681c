/** Small changes to the sources, each of which a test or the type check ought to notice. */
import ts from 'typescript';

export interface Mutant {
	file: string;
	/** Where it is in the file. */
	start: number;
	end: number;
	line: number;
	/** The code there, and what takes its place. */
	was: string;
	becomes: string;
}

/** What takes the place of an operator; what is of the wrong type then, the type check notices. */
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

type Change = { node: ts.Node; becomes: string };

const isOfType = (node: ts.Node): boolean => ts.isLiteralTypeNode(node.parent);

function changeOf(node: ts.Node): Change | undefined {
	if (ts.isBinaryExpression(node)) {
		const becomes = OPERATORS.get(node.operatorToken.getText());
		return becomes === undefined ? undefined : { node: node.operatorToken, becomes };
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword && !isOfType(node)) return { node, becomes: 'false' };
	if (node.kind === ts.SyntaxKind.FalseKeyword && !isOfType(node)) return { node, becomes: 'true' };
	if (ts.isNumericLiteral(node) && !isOfType(node)) return { node, becomes: `(${node.text} + 1)` };
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		return { node, becomes: node.operand.getText() };
	if (ts.isIfStatement(node)) return { node: node.expression, becomes: 'false' };
	if (ts.isConditionalExpression(node)) return { node: node.condition, becomes: 'true' };
	if (ts.isExpressionStatement(node) && /^(await )?[\w.]+\(/.test(node.getText()))
		return { node, becomes: 'void 0;' };
	return undefined;
}

/** All that can be changed in a file. */
export function mutantsOf(file: string, text: string): Mutant[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: Mutant[] = [];
	const visit = (node: ts.Node): void => {
		const change = changeOf(node);
		if (change) {
			const [start, end] = [change.node.getStart(), change.node.getEnd()];
			const line = source.getLineAndCharacterOfPosition(start).line + 1;
			found.push({ file, start, end, line, was: text.slice(start, end), becomes: change.becomes });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}
