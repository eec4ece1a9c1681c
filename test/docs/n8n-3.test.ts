/** Neither the package nor the documentation uses what n8n 3.0 removes: https://docs.n8n.io/changelog/v30-breaking-changes */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INode } from 'n8n-workflow';

const root = resolve(__dirname, '../..');
const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: root }).sort();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const workflows = files('workflows/*.json', 'docs/coming-from/*.json').flatMap((file) => {
	const { nodes } = JSON.parse(read(file)) as { nodes?: INode[] };
	return nodes ? [{ file, nodes }] : [];
});

const removedTypes = [
	...['function', 'functionItem', 'itemLists', 'aiTransform'].map((name) => `n8n-nodes-base.${name}`),
	'@n8n/n8n-nodes-langchain.code',
];
const severalOutputs = ['n8n-nodes-base.if', 'n8n-nodes-base.switch'];

/** Matches removed expression helpers, settings, folders and the removed import syntax. */
const removedWords =
	/\$getPairedItem|\$evaluateExpression|OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS|N8N_DEFAULT_BINARY_DATA_MODE=default|N8N_DB_PING_TIMEOUT|N8N_MIGRATE_FS_STORAGE_PATH|\.n8n\/binaryData|import from url/i;

function faultOf({ type, typeVersion, parameters, alwaysOutputData }: INode): string | undefined {
	if (removedTypes.includes(type)) return 'a removed node';
	if (type === '@n8n/n8n-nodes-langchain.agent' && typeVersion < 2) return 'version 1 of the AI Agent';
	if (type === 'n8n-nodes-base.executeWorkflow' && parameters.mode === 'each') return 'a removed mode';
	if (severalOutputs.includes(type) && alwaysOutputData) return 'an option with another meaning';
	return undefined;
}

const faultsOf = (nodes: INode[]): string[] =>
	nodes.flatMap((node) => {
		const fault = faultOf(node);
		return fault ? [`${node.name}: ${fault}`] : [];
	});

it('finds removed features', () => {
	const node = { id: '1', name: 'Old', position: [0, 0] as [number, number], typeVersion: 1, parameters: {} };
	const old: INode[] = [
		{ ...node, type: 'n8n-nodes-base.itemLists' },
		{ ...node, type: '@n8n/n8n-nodes-langchain.agent' },
		{ ...node, type: 'n8n-nodes-base.executeWorkflow', parameters: { mode: 'each' } },
		{ ...node, type: 'n8n-nodes-base.if', alwaysOutputData: true },
	];
	expect(faultsOf(old)).toHaveLength(4);
	expect(faultsOf([{ ...node, type: 'n8n-nodes-base.set' }])).toEqual([]);
});

it.each(workflows)('$file has no node that was removed or changed', ({ nodes }) => {
	expect(faultsOf(nodes)).toEqual([]);
});

it.each(files('README.md', 'docs/**/*.{md,json}', 'workflows/*.json', 'compose*.yaml', 'nodes/**/*.ts'))(
	'%s names no removed feature',
	(file) => {
		expect(removedWords.exec(read(file))?.[0]).toBeUndefined();
	},
);
