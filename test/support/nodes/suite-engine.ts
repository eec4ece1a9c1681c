import type { Engine } from '../../../engine/index.ts';
import { startEngine } from './node';

/** n8n's engine with the built package. It starts before the tests of a suite that imports this module. */
export let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});
