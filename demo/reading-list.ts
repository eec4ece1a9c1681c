/**
 * The list of articles of workflows/scheduled-links.json. It is kept in workflows/articles.json; the workflow carries
 * a copy in its node "Articles", so that it works wherever it is imported.
 * `node demo/embed-reading-list.ts` updates that copy after the list was edited.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeJson, WorkflowJson } from '../engine/index.ts';
import { workflowFolder } from './workflows.ts';

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

export async function readReadingList(): Promise<ReadingList> {
	return JSON.parse(await readFile(join(workflowFolder, 'articles.json'), 'utf8')) as ReadingList;
}

/** The workflow with this list in its node "Articles". */
export function withReadingList(workflow: WorkflowJson, list: ReadingList): WorkflowJson {
	const fill = (node: NodeJson): NodeJson =>
		node.name === 'Articles'
			? { ...node, parameters: { ...node.parameters, jsonOutput: JSON.stringify(list, null, 2) } }
			: node;
	return { ...workflow, nodes: workflow.nodes.map(fill) };
}
