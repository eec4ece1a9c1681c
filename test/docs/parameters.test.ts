/** Every label in bold on a page exists in the nodes' forms or in n8n. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { createEngine } from '../../engine/index.ts';
import { root } from '../support/nodes/built';

const pages = [
	'README.md',
	...readdirSync(join(root, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** Other words in bold: labels of n8n, its nodes and credentials, and names of services. */
const otherLabels = [
	...['Settings', 'Community nodes', 'Install', 'Import from File', 'Fetch Test Event'],
	...['On Error', 'Continue (using error output)', 'Retry On Fail', 'Tool'],
	...['Filter', 'Execute Sub-workflow', 'MCP Server Trigger', 'Remove Duplicates', 'Each Event Once'],
	...['Remove Items Processed in Previous Executions', 'Value Is New', 'Clear Deduplication History'],
	...[
		'Test',
		'Connect',
		'Credential to connect with',
		'Execute step',
		'OAuth Redirect URL',
		'NewsBlur',
		'GemPixel’s Premium URL Shortener',
	],
];

type Option = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** All labels of a property: its name and action, and those of its options and nested properties. */
const labelsOf = (property: Option): string[] => [
	'displayName' in property ? property.displayName : property.name,
	...('action' in property && property.action ? [property.action] : []),
	...('options' in property ? (property.options ?? []).flatMap(labelsOf) : []),
	...('values' in property ? property.values.flatMap(labelsOf) : []),
];

let nodeLabels: Set<string>;
beforeAll(async () => {
	const engine = await createEngine({ packageDirs: [root] });
	const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'].map(
		(name) => engine.nodeType(`n8n-nodes-newslink.${name}`).description,
	);
	nodeLabels = new Set([
		...otherLabels,
		...nodes.map(({ displayName }) => displayName),
		...[...nodes, ...engine.credentialTypes].flatMap(({ properties }) => properties.flatMap(labelsOf)),
	]);
});

it.each(pages)('%s names only labels that exist', (page) => {
	const text = readFileSync(join(root, page), 'utf8').replace(/^```[^]*?^```/gm, '');
	const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words!);
	const labels = bold.filter((words) => /^\p{Lu}/u.test(words) && !/[.!:]$/.test(words));
	const unknown = labels.flatMap((label) => label.split(' → ')).filter((label) => !nodeLabels.has(label));
	expect(unknown).toEqual([]);
});
