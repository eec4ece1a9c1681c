/** Every regular expression of the nodes and credentials takes linear time, whatever text it is fed. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RegExpParser, type AST } from '@eslint-community/regexpp';
import ts from 'typescript';
import { root } from '../support/nodes/built';

const LENGTH = 50_000;
/** A linear expression takes less than a hundredth of this, a quadratic one several times as long. */
const MOST_CPU_MS = 250;

/** A text that an element matches. */
function sampleOf(element: AST.Node): string {
	switch (element.type) {
		case 'Alternative':
			return element.elements.map(sampleOf).join('');
		case 'Group':
		case 'CapturingGroup':
			return element.alternatives[0] ? sampleOf(element.alternatives[0]) : '';
		case 'Quantifier':
			return sampleOf(element.element).repeat(Math.max(element.min, 1));
		case 'Character':
			return String.fromCodePoint(element.value);
		case 'CharacterSet':
			return element.kind === 'space' ? ' ' : element.kind === 'digit' ? '1' : 'a';
		case 'CharacterClass':
			return (
				[...'a1 /_-:{,"\''].find((character) => new RegExp(`^${element.raw}$`, 'iu').test(character)) ?? 'a'
			);
		default:
			return '';
	}
}

/** Texts that repeat what each part of an expression matches, after what must come before it. */
function attacksOn({ pattern }: AST.RegExpLiteral): string[] {
	const attacks: string[] = [];
	const visit = (alternative: AST.Alternative, before: string): void => {
		alternative.elements.forEach((element, index) => {
			const prefix = before + alternative.elements.slice(0, index).map(sampleOf).join('');
			if (element.type === 'Quantifier' && element.max === Infinity) {
				const unit = sampleOf(element.element);
				attacks.push(`${prefix}${unit.repeat(LENGTH)}\u0001`, `${prefix}${`${unit} `.repeat(LENGTH)}\u0001`);
			}
			const inner = element.type === 'Quantifier' ? element.element : element;
			if ('alternatives' in inner)
				for (const other of inner.alternatives) visit(other as AST.Alternative, prefix);
		});
		for (let count = 1; count <= alternative.elements.length; count += 1) {
			const unit = before + alternative.elements.slice(0, count).map(sampleOf).join('');
			if (unit !== '') attacks.push(`${unit.repeat(Math.ceil(LENGTH / unit.length))}\u0001`);
		}
	};
	for (const alternative of pattern.alternatives) visit(alternative, '');
	return [...attacks, ' '.repeat(LENGTH), `/${' '.repeat(LENGTH)}x`];
}

const expressions = globSync('{nodes,credentials}/**/*.ts', { cwd: root }).flatMap((file) => {
	const found: Array<[string, string]> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) found.push([file, node.text]);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true));
	return found;
});

it.each(expressions)('%s: %s', (_, literal) => {
	const parsed = new RegExpParser().parseLiteral(literal);
	const expression = new RegExp(parsed.pattern.raw, [...new Set(`${parsed.flags.raw}g`)].join(''));
	const slow = attacksOn(parsed).filter((attack) => {
		const before = process.cpuUsage();
		attack.replace(expression, '');
		return process.cpuUsage(before).user / 1000 > MOST_CPU_MS;
	});
	expect(slow.map((attack) => `${attack.slice(0, 20)}…`)).toEqual([]);
});
