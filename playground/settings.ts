/** The folders, the versions of n8n and the login of the playground. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package's package.json. */
export const root = join(import.meta.dirname, '..');

/** The pinned n8n is installed here. */
export const pinnedFolder = import.meta.dirname;

/** The playground's data, which Git ignores: databases of n8n and the sandbox, logs, other versions of n8n. */
export const dataFolder = process.env.PLAYGROUND_DATA ?? join(import.meta.dirname, '.data');

export const host = '127.0.0.1';

/** Usable only on this machine, because n8n listens on loopback. */
export const owner = {
	email: 'owner@example.com',
	firstName: 'Playground',
	lastName: 'Owner',
	password: 'Playground-2026',
};

/** Rate limit of the sandbox's link service. The documented limit of 30 a minute would slow down the examples. */
export const rateLimit = { count: 60, seconds: 5 };

/** The oldest n8n that the package is tested with. */
export const oldestN8n = '1.123.81';

/** The n8n of the playground and of the end-to-end tests. */
export const pinnedN8n = (
	JSON.parse(readFileSync(join(pinnedFolder, 'package.json'), 'utf8')) as { dependencies: { n8n: string } }
).dependencies.n8n;

/** n8n 3.0 installs no package that it has not verified, by default. */
export const packageSettings = { N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' };

interface Server {
	host: string;
	port: number;
}

/** Settings that the main process and the workers share in queue mode, without secrets. */
export const queueSettings = (redis: Server, postgres: Server & { database: string; user: string }) => ({
	EXECUTIONS_MODE: 'queue',
	QUEUE_BULL_REDIS_HOST: redis.host,
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: postgres.host,
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_DATABASE: postgres.database,
	DB_POSTGRESDB_USER: postgres.user,
});
