/** Writes the list of workflows/articles.json into the workflow's own copy. */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { readReadingList, readWorkflow, withReadingList, workflowFile } from './reading-list.ts';

const workflow = withReadingList(await readWorkflow(), await readReadingList());
const options = await resolveConfig(workflowFile);
await writeFile(workflowFile, await format(JSON.stringify(workflow), { ...options, filepath: workflowFile }));
