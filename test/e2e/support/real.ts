/** Starts a real n8n with the package and a sandbox, on free ports and with temporary data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installN8n } from '../../../playground/install.ts';
import { freePort } from '../../../playground/n8n.ts';
import { packPackage } from '../../../playground/package.ts';
import { startPlayground, type Playground } from '../../../playground/playground.ts';
import type { SandboxOptions } from '../../../sandbox/shared/options.ts';
import { Executions } from './executions.ts';

/** The settings of n8n's scheduler. */
export const scheduler = { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' };

/** All settings that n8n's durable cursors need since 2.37. */
export const durableCursors = {
	...scheduler,
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/** The value of a trigger's Poll Times: n8n refuses shorter intervals than a minute, but accepts several times. */
export const everyTenSeconds = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
};

export interface RealOptions {
	/** Version of n8n; undefined for the pinned one. */
	version?: string;
	sandbox?: Partial<SandboxOptions>;
	environment?: Record<string, string>;
}

export interface Real extends Playground {
	/** Folder for all data. */
	folder: string;
	/** Folder whose node_modules has n8n. */
	installation: string;
	executions: Executions;
}

/** Starts n8n and the sandbox; the package must be built. */
export async function startReal({ version, sandbox, environment }: RealOptions = {}): Promise<Real> {
	const folder = await mkdtemp(join(tmpdir(), 'newslink-e2e-'));
	const say = (line: string) => console.log(line);
	try {
		const installation = await installN8n(version, say);
		const packed = await packPackage(folder);
		const playground = await startPlayground({
			installation,
			packed,
			folder,
			port: await freePort(),
			sandbox: { port: 0, rateLimit: null, ...sandbox },
			environment,
			say: () => undefined,
		});
		return {
			...playground,
			folder,
			installation,
			executions: await Executions.of(playground.client),
			stop: async () => {
				await playground.stop();
				await rm(folder, { recursive: true, force: true });
			},
		};
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
}
