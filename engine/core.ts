/**
 * Loads n8n's engine once per process.
 *
 * n8n-core is CommonJS and its nodes are `require`d, so n8n-workflow must be required too: an `import` would load
 * a second copy (its ES build) with other error classes and another expression engine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RegexEngine } from 'n8n-workflow';

const load = createRequire(import.meta.url);

/** Without n8n's time limit of a quarter of a second, because runs would fail at random on a busy machine. */
const REGEX_WITHOUT_LIMIT: RegexEngine = {
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) => input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
};

function loadCore() {
	// n8n-core writes a settings file with its encryption key when it starts, and reads it only then.
	const home = mkdtempSync(join(tmpdir(), 'newslink-engine-'));
	process.env.N8N_USER_FOLDER = home;
	process.env.N8N_ENCRYPTION_KEY ??= 'newslink-engine';
	process.env.N8N_LOG_LEVEL ??= 'silent';
	load('reflect-metadata');
	const core = load('n8n-core') as typeof import('n8n-core');
	const workflow = load('n8n-workflow') as typeof import('n8n-workflow');
	workflow.setSafeRegexEngine(REGEX_WITHOUT_LIMIT);
	const loadAsCore = createRequire(load.resolve('n8n-core'));
	const { Container } = loadAsCore('@n8n/di') as { Container: { get(service: unknown): unknown } };
	Container.get(core.InstanceSettings);
	rmSync(home, { recursive: true });
	return { core, workflow };
}

const loaded = loadCore();

/** The copy of n8n-core that n8n uses. */
export const core = loaded.core;

/** The copy of n8n-workflow that n8n-core and the loaded nodes use. */
export const n8n = loaded.workflow;

/**
 * Starts n8n's expression engine for production (an isolate per workflow), once per process. Jest cannot run the
 * dynamic import that loads it, so tests use n8n's older engine.
 */
export async function startExpressionEngine(): Promise<void> {
	await loaded.workflow.Expression.initExpressionEngine({
		engine: process.env.JEST_WORKER_ID === undefined ? 'vm' : 'legacy',
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 1024,
	});
}
