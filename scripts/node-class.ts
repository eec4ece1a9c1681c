import type { INodeType } from 'n8n-workflow';

/**
 * Generates the class that n8n loads at start. It reads the description from the JSON file in the same folder and loads
 * the code on the first call of a method. n8n looks for the methods at start, so the class declares each of them.
 */
export function nodeClass({ constructor, description, execute, poll, methods = {} }: INodeType): string {
	const loaders = Object.entries(methods).map(([kind, functions]) =>
		[
			`\t\t${kind}: {`,
			...Object.keys(functions).map((list) => `\t\t\t${forwardingMethod(list, `methods.${kind}.${list}`)},`),
			'\t\t},',
		].join('\n'),
	);
	const methodNames = Object.keys({ ...(execute && { execute }), ...(poll && { poll }) });
	return `'use strict';
const description = require('./${constructor.name}.description.json');

const code = () => require('../newslink.js').${description.name};

exports.${constructor.name} = class ${constructor.name} {
	// A copy, because n8n adds properties to it.
	description = { ...description, properties: [...description.properties] };

	methods = {
${loaders.join('\n')}
	};

${methodNames.map((run) => `\t${forwardingMethod(run)}`).join('\n')}
};
`;
}

/** A method that forwards `this` and its arguments to the code. */
const forwardingMethod = (name: string, path = name): string =>
	`${name}(...args) { return code().${path}.apply(this, args); }`;
