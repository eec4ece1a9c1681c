/**
 * Reads workflows/articles.json, the articles of workflows/scheduled-links.json. The workflow has a copy of the list in
 * its node "Articles", so that it works after an import. Run `node demo/embed-reading-list.ts` after a change of the
 * list.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeJson, WorkflowJson } from '../engine/index.ts';
import { workflowFolder } from './workflows.ts';

export interface Article {
	title: string;
	url: string;
	/** Name of the channel of its short link. */
	channel: string;
}

export interface ReadingList {
	/** Name of the campaign for all articles. */
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
