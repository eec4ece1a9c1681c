import type { Engine } from '../../../engine/index.ts';
import { clock } from '../nodes/built';
import { FakeHost } from './fake-host';
import { undoneAfterwards } from '../afterwards';
import { engine } from '../nodes/suite-engine';
import { makeVirtual } from '../clock';

/** The engine with a virtual clock, and a fake host. */
export interface EngineAndHost {
	engine: Engine;
	host: FakeHost;
}

/** For all tests of a suite, starts the engine and the host, and makes the clock virtual. */
export function useFakeHost(): EngineAndHost {
	const world = {} as EngineAndHost;
	beforeAll(async () => {
		world.engine = engine;
		world.host = await FakeHost.start(() => undefined);
		const time = makeVirtual(clock);
		undoneAfterwards(() => time.restore());
	});
	return world;
}
