/** Starts a sandbox and a real n8n with this package, credentials and example workflows. */
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox/start-sandbox.ts';
import type { SandboxOptions } from '../sandbox/shared/options.ts';
import {
	ensureCredentials,
	ensureWorkflows,
	mailCredential,
	modelCredential,
	sandboxCredentials,
} from './content.ts';
import type { Log } from './install.ts';
import { startModel } from './model.ts';
import { checkPort, startN8n, type N8n } from './n8n.ts';
import { installPackage } from './package.ts';
import { N8nClient, type CredentialRecord } from './rest.ts';
import { owner } from './settings.ts';

export interface PlaygroundOptions {
	/** Folder with n8n in its node_modules. */
	installation: string;
	/** The packed package. */
	packed: string;
	/** Folder for all data. */
	folder: string;
	port: number;
	sandbox: Partial<SandboxOptions>;
	/** Additional settings of n8n. */
	environment?: Record<string, string>;
	say: Log;
}

export interface Playground {
	sandbox: Sandbox;
	n8n: N8n;
	client: N8nClient;
	credentials: CredentialRecord[];
	stop(): Promise<void>;
}

/** Starts the playground with the data of previous starts. @throws CommandError */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
	const { installation, packed, folder, port, environment, say } = options;
	await checkPort(port);
	const userFolder = join(folder, 'n8n');
	const sandbox = await startSandbox(options.sandbox);
	const model = await startModel();
	let n8n: N8n | undefined;
	const stop = async () => {
		await n8n?.stop();
		await model.close();
		await sandbox.close();
	};
	try {
		if (await installPackage(userFolder, packed)) say('Installed the package in n8n.');
		say('Starting n8n …');
		n8n = await startN8n({ installation, userFolder, port, log: join(folder, 'n8n.log'), environment });
		const client = new N8nClient(n8n.url);
		await client.logIn(owner);
		const credentials = await ensureCredentials(client, [
			...sandboxCredentials(sandbox),
			modelCredential(model.url),
			mailCredential,
		]);
		const added = await ensureWorkflows(client, credentials);
		if (added > 0) say(`Imported ${added} example workflows.`);
		return { sandbox, n8n, client, credentials, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
