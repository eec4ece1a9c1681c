/** Every label that a page sets in bold is one of the nodes' forms, or a word of n8n. */
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

/** Bold words that are not ours: labels of n8n, its nodes, its credentials, and names of services. */
const others = [
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

/** What a form shows of a property: its label and its action, those of its options, and those inside. */
const labelsOf = (property: Option): string[] => [
	'displayName' in property ? property.displayName : property.name,
	...('action' in property && property.action ? [property.action] : []),
	...('options' in property ? (property.options ?? []).flatMap(labelsOf) : []),
	...('values' in property ? property.values.flatMap(labelsOf) : []),
];

let known: Set<string>;
beforeAll(async () => {
	const engine = await createEngine({ packageDirs: [root] });
	const nodes = ['linkManager', 'linkManagerTrigger', 'newsReader', 'newsReaderTrigger'].map(
		(name) => engine.nodeType(`n8n-nodes-newslink.${name}`).description,
	);
	known = new Set([
		...others,
		...nodes.map(({ displayName }) => displayName),
		...[...nodes, ...engine.credentialTypes].flatMap(({ properties }) => properties.flatMap(labelsOf)),
	]);
});

it.each(pages)('%s names only labels that exist', (page) => {
	const text = readFileSync(join(root, page), 'utf8').replace(/^```[^]*?^```/gm, '');
	const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words!);
	const labels = bold.filter((words) => /^\p{Lu}/u.test(words) && !/[.!:]$/.test(words));
	const unknown = labels.flatMap((label) => label.split(' → ')).filter((label) => !known.has(label));
	expect(unknown).toEqual([]);
});
