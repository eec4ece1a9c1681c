import { resolve } from 'node:path';

/** The folder from which n8n loads the package. */
export const root = resolve(__dirname, '../../..');

/** The built code, in the module instance that n8n's loader uses in this test. */
export const { clock, PollingProcess, thisProcess } = jest.requireActual<
	typeof import('../../../nodes/newslink')
>(resolve(root, 'dist/nodes/newslink.js'));
