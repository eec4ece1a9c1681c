import type { INodeType } from 'n8n-workflow';

/**
 * The class that n8n loads when it starts, instead of a node's own: with the description that the build writes beside
 * it, and without the code, which stays on disk until the node is first used.
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
const { unpacked } = require('../description.js');

const description = unpacked(require('./${constructor.name}.description.json'));

const code = () => require('../newslink.js').${description.name};

exports.${constructor.name} = class ${constructor.name} {
	// A copy, since n8n adds to it.
	description = { ...description, properties: [...description.properties] };

	methods = {
${lists.join('\n')}
	};

${runs.map((run) => `\t${forwarded(run)}`).join('\n')}
};
`;
}

/** A method that hands its `this` and its arguments on to the code. */
const forwarded = (name: string, path = name): string =>
	`${name}(...args) { return code().${path}.apply(this, args); }`;
