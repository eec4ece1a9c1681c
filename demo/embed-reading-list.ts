/** Copies workflows/articles.json into the workflow. */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { readReadingList, withReadingList } from './reading-list.ts';
import { readWorkflow, workflowFile } from './workflows.ts';

const file = workflowFile('scheduled-links');
const workflow = withReadingList(await readWorkflow('scheduled-links'), await readReadingList());
const options = await resolveConfig(file);
await writeFile(file, await format(JSON.stringify(workflow), { ...options, filepath: file }));
