import type { INodeType } from 'n8n-workflow';

/**
 * The source of the class that n8n loads when it starts. It has the description from the JSON file beside it; the code
 * is loaded on the first call of a method. n8n counts the methods at start, so each is written out.
 */
export function nodeClass({ constructor, description, execute, poll, methods = {} }: INodeType): string {
	const lists = Object.entries(methods).map(([kind, functions]) =>
		[
			`\t\t${kind}: {`,
			...Object.keys(functions).map((list) => `\t\t\t${forwarded(list, `methods.${kind}.${list}`)},`),
			'\t\t},',
		].join('\n'),
	);
	const runs = Object.keys({ ...(execute && { execute }), ...(poll && { poll }) });
	return `'use strict';
const description = require('./${constructor.name}.description.json');

const code = () => require('../newslink.js').${description.name};

exports.${constructor.name} = class ${constructor.name} {
	// A copy, because n8n adds properties to it.
	description = { ...description, properties: [...description.properties] };

	methods = {
${lists.join('\n')}
	};

${runs.map((run) => `\t${forwarded(run)}`).join('\n')}
};
`;
}

/** A method that calls the code with its own \`this\` and arguments. */
const forwarded = (name: string, path = name): string =>
	`${name}(...args) { return code().${path}.apply(this, args); }`;
