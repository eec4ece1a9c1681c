import type { Engine } from '../../../engine/index.ts';
import { clock } from '../nodes/built';
import { FakeHost } from './fake-host';
import { startEngine } from '../nodes/node';
import { makeVirtual, type VirtualClock } from '../clock';

/** The engine with a virtual clock, and a fake host. */
export interface EngineAndHost {
	engine: Engine;
	host: FakeHost;
}

/**
 * Before all tests of a suite, starts the engine and the host and makes the clock virtual. Afterwards, stops the host and
 * restores the clock.
 */
export function useFakeHost(): EngineAndHost {
	const world = {} as EngineAndHost;
	let time: VirtualClock;
	beforeAll(async () => {
		world.engine = await startEngine();
		world.host = await FakeHost.start(() => undefined);
		time = makeVirtual(clock);
	});
	afterAll(async () => {
		time.restore();
		await world.host.stop();
	});
	return world;
}
