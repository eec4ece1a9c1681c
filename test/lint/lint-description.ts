import type { INodeTypeDescription } from 'n8n-workflow';
import { nodeRules, parameterRules } from './rules';
import { parametersOf } from './walk';

/**
 * Returns all faults in a node type's description, one line each: `rule: path: fault`.
 *
 * @param description as n8n serves it to the editor: after loading, with codex and icon addresses
 */
export function lintDescription(description: INodeTypeDescription): string[] {
	const parameters = parametersOf(description);
	return [
		...Object.entries(parameterRules).flatMap(([rule, check]) =>
			parameters.flatMap((parameter) =>
				check(parameter, description)
					.filter((fault) => fault !== undefined)
					.map((fault) => `${rule}: ${parameter.path}: ${fault}`),
			),
		),
		...Object.entries(nodeRules).flatMap(([rule, check]) =>
			check(description)
				.filter((fault) => fault !== undefined)
				.map((fault) => `${rule}: ${fault}`),
		),
	];
}
