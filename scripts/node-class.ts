import type { INodeType } from 'n8n-workflow';

/**
 * The source of the class that n8n loads when it starts. The class reads the description from the JSON file next to it. Its methods
 * load the code when they are first called; n8n looks for them at start, so the class declares each.
 */
export function nodeClass({ constructor, description, execute, methods = {} }: INodeType): string {
	const className = constructor.name;
	const lists = Object.entries(methods).map(
		([kind, functions]) => `		${kind}: {
${Object.keys(functions)
	.map((list) => `			${list}${body(`methods.${kind}.${list}`)},`)
	.join('\n')}
		},`,
	);
	const run = execute ? 'execute' : 'poll';
	return `'use strict';
const description = require('./${className}.description.json');

const code = () => require('../newslink.js').${description.name};

exports.${className} = class ${className} {
	// A copy, because n8n adds properties to it.
	description = { ...description, properties: [...description.properties] };

	methods = {
${lists.join('\n')}
	};

	${run}${body(run)}
};
`;
}

/** The parameters and body of a method that calls the function at this path of the code. */
const body = (path: string): string => `(...args) { return code().${path}.apply(this, args); }`;
