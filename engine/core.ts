/**
 * Loads n8n's engine once per process.
 *
 * n8n-core is CommonJS and its nodes are `require`d, so n8n-workflow must be required too: an `import` would give
 * a second copy of it (its ES build), whose error classes and expression engine are not the ones the engine uses.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RegexEngine } from 'n8n-workflow';

const load = createRequire(import.meta.url);

/** n8n stops each regular expression after a quarter of a second: on a busy machine, runs would fail by chance. */
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
	// The engine writes one settings file (its encryption key) on its first use and only reads it then.
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

/** n8n-core, as n8n itself uses it. */
export const core = loaded.core;

/** The copy of n8n-workflow that n8n-core and the loaded nodes use. */
export const n8n = loaded.workflow;

/**
 * Starts the expression engine n8n runs in production (an isolate per workflow); once per process. Under Jest,
 * which cannot run the dynamic import that loads it, expressions are evaluated by n8n's older engine.
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
