/**
 * `npm run compose`: writes the Docker Compose files for n8n's official image with this package. They use the version
 * and the settings of the playground and the tests.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { CommandError, runCommand } from '../scripts/command.ts';
import { packageSettings, pinnedN8n, queueSettings, root } from './settings.ts';

const IMAGE = 'docker.n8n.io/n8nio/n8n';
/** The volume for n8n's encryption key and the community packages. */
const VOLUME = { n8n_data: null };
const MOUNTS = ['n8n_data:/home/node/.n8n'];
const POSTGRES = { host: 'postgres', port: 5432, database: 'n8n', user: 'n8n' };
const REDIS = { host: 'redis', port: 6379 };

const healthcheck = (...test: string[]) => ({
	test: ['CMD', ...test],
	interval: '5s',
	timeout: '5s',
	retries: 30,
});
const isHealthy = (...services: string[]) => ({
	depends_on: Object.fromEntries(services.map((name) => [name, { condition: 'service_healthy' }])),
});

/** The main process of n8n, with the editor at localhost:5678. */
const main = (image: string, environment: Record<string, string>) => ({
	image,
	restart: 'unless-stopped',
	ports: ['127.0.0.1:5678:5678'],
	environment,
	volumes: MOUNTS,
	healthcheck: healthcheck('wget', '-q', '-O', '/dev/null', 'http://127.0.0.1:5678/healthz/readiness'),
});

const single = (image: string) => ({
	services: { n8n: main(image, packageSettings) },
	volumes: VOLUME,
});

function queue(image: string): object {
	const environment = {
		...packageSettings,
		...queueSettings(REDIS, POSTGRES),
		DB_POSTGRESDB_PASSWORD: '${POSTGRES_PASSWORD:?}',
		N8N_ENCRYPTION_KEY: '${N8N_ENCRYPTION_KEY:?}',
	};
	return {
		services: {
			postgres: {
				image: 'postgres:17-alpine',
				restart: 'unless-stopped',
				environment: {
					POSTGRES_USER: POSTGRES.user,
					POSTGRES_PASSWORD: '${POSTGRES_PASSWORD:?}',
					POSTGRES_DB: POSTGRES.database,
				},
				volumes: ['postgres_data:/var/lib/postgresql/data'],
				healthcheck: healthcheck('pg_isready', '-U', POSTGRES.user, '-d', POSTGRES.database),
			},
			redis: {
				image: 'redis:7-alpine',
				restart: 'unless-stopped',
				volumes: ['redis_data:/data'],
				healthcheck: healthcheck('redis-cli', 'ping'),
			},
			n8n: { ...main(image, environment), ...isHealthy('postgres', 'redis') },
			worker: {
				image,
				command: 'worker --concurrency=5',
				restart: 'unless-stopped',
				environment,
				volumes: MOUNTS,
				...isHealthy('n8n'),
			},
		},
		volumes: { ...VOLUME, postgres_data: null, redis_data: null },
	};
}

/** The content of each file, by file name. */
async function composeFiles(): Promise<Record<string, string>> {
	const image = `${IMAGE}:${pinnedN8n}`;
	return {
		'compose.yaml': await formatFile(
			'compose.yaml',
			'n8n at http://localhost:5678. Start it with: docker compose up -d',
			single(image),
		),
		'compose.queue.yaml': await formatFile(
			'compose.queue.yaml',
			'n8n in queue mode, with secrets from .env. Start it with: docker compose -f compose.queue.yaml up -d',
			queue(image),
		),
	};
}

async function formatFile(file: string, about: string, content: object): Promise<string> {
	const yaml = stringify(content, { aliasDuplicateObjects: false, lineWidth: 0, nullStr: '' });
	const text = `# ${about}\n# Made by "npm run compose" from playground/compose.ts.\n${yaml}`;
	const filepath = join(root, file);
	return await format(text, { ...(await resolveConfig(filepath)), filepath });
}

async function update(check: boolean): Promise<void> {
	for (const [file, content] of Object.entries(await composeFiles())) {
		const path = join(root, file);
		if (!check) await writeFile(path, content);
		else if ((await readFile(path, 'utf8')) !== content)
			throw new CommandError(`${file} does not match playground/compose.ts. Run: npm run compose`);
	}
}

await runCommand(
	{
		name: 'npm run compose',
		description: "Writes compose.yaml and compose.queue.yaml, which start n8n's official image.",
		options: { check: { help: 'write nothing; fail if a file is out of date' } },
	},
	async ({ check }) => await update(check),
);
