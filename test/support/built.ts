import { resolve } from 'node:path';

/** The folder that n8n loads the package from. */
export const root = resolve(__dirname, '../..');

/** A module as it is built and published, in the copy that n8n's loader uses in this test. */
const built = <Module extends object>(path: string): Module =>
	jest.requireActual<Module>(resolve(root, 'dist', path));

export const { table: linkTable } = built<typeof import('../../nodes/LinkManager/resources')>(
	'nodes/LinkManager/resources/index.js',
);
export const { table: readerTable } = built<typeof import('../../nodes/NewsReader/resources')>(
	'nodes/NewsReader/resources/index.js',
);
export const { clock } = built<typeof import('../../nodes/runtime/transport/rateLimit')>(
	'nodes/runtime/transport/rateLimit.js',
);
export const { thisProcess, PollingProcess } = built<typeof import('../../nodes/runtime/poll/process')>(
	'nodes/runtime/poll/process.js',
);
