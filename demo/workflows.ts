/** Reads the example workflows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowJson } from '../engine/index.ts';

export const workflowFolder = join(import.meta.dirname, '../workflows');

export type WorkflowName = 'scheduled-links' | 'feed-to-share';

export const workflowFile = (name: WorkflowName): string => join(workflowFolder, `${name}.json`);

export async function readWorkflow(name: WorkflowName): Promise<WorkflowJson> {
	return JSON.parse(await readFile(workflowFile(name), 'utf8')) as WorkflowJson;
}
