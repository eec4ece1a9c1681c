/** The workflows of the migration page are valid; test/e2e/gallery.test.ts runs them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from '../../engine/index.ts';
import { root } from '../support/nodes/built';
import { engine } from '../support/nodes/suite-engine';

const folder = join(root, 'docs/coming-from');
const files = readdirSync(folder);
const read = (file: string): WorkflowJson =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

const isOurs = ({ type }: { type: string }) => type.startsWith('n8n-nodes-newslink.');

it('the page shows every workflow before and after migration', () => {
	const page = readFileSync(join(root, 'docs/coming-from.md'), 'utf8');
	const subjects = [...new Set(files.map((file) => file.replace(/-(before|after)\.json$/, '')))];
	expect(subjects).toHaveLength(3);
	for (const subject of subjects) {
		for (const when of ['before', 'after']) expect(page).toContain(`](coming-from/${subject}-${when}.json)`);
	}
});

it.each(files)('%s connects existing nodes in one line', (file) => {
	const { nodes, connections } = read(file);
	const ends = Object.values(connections).flatMap(({ main }) => main!.flat().map((end) => end!.node));
	expect(
		[...Object.keys(connections), ...ends].filter((name) => !nodes.some((node) => node.name === name)),
	).toEqual([]);
	expect(ends).toHaveLength(nodes.length - 1);
	expect(nodes.every(isOurs)).toBe(false);
});

it.each(files)('%s uses the newest version of our nodes', (file) => {
	for (const node of read(file).nodes.filter(isOurs)) {
		const { version } = engine.nodeType(node.type).description;
		expect(node.typeVersion).toBe([version].flat().at(-1));
	}
});
