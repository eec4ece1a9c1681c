import { randomUUID } from 'crypto';
import { Memory } from './process';

/** A process that polls, from when it started: epoch milliseconds. */
export const newProcess = (startedAt: number) => ({
	instance: randomUUID() as string,
	startedAt,
	memory: new Memory(),
});

/** This process. Tests put another in its place, as if n8n had started anew. */
export const here = newProcess(performance.timeOrigin);
