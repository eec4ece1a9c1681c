/**
 * The example workflow and its list of articles. The list is kept in workflows/articles.json; the workflow carries
 * a copy in its node "Articles", so that it works wherever it is imported.
 * `node demo/embed-reading-list.ts` writes that copy anew after the list was edited.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeJson, WorkflowJson } from './engine.ts';

export interface Article {
	title: string;
	url: string;
	/** Name of the channel its short link and QR code belong to. */
	channel: string;
}

export interface ReadingList {
	/** Name of the campaign of all articles. */
	campaign: string;
	articles: Article[];
}

const folder = join(import.meta.dirname, '../workflows');
export const workflowFile = join(folder, 'scheduled-links.json');

export async function readReadingList(): Promise<ReadingList> {
	return JSON.parse(await readFile(join(folder, 'articles.json'), 'utf8')) as ReadingList;
}

export async function readWorkflow(): Promise<WorkflowJson> {
	return JSON.parse(await readFile(workflowFile, 'utf8')) as WorkflowJson;
}

/** The workflow with this list in its node "Articles". */
export function withReadingList(workflow: WorkflowJson, list: ReadingList): WorkflowJson {
	const fill = (node: NodeJson): NodeJson =>
		node.name === 'Articles'
			? { ...node, parameters: { ...node.parameters, jsonOutput: JSON.stringify(list, null, 2) } }
			: node;
	return { ...workflow, nodes: workflow.nodes.map(fill) };
}
