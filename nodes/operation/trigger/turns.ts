import { clock } from '../throttle';
import type { Answer } from '../transport';
import { isRateLimit, outcomeOf } from './faults';

/** What came last, and until when it may stand in: epoch milliseconds. */
interface Last {
	answer: Answer;
	until: number;
}

const lastAnswers = new Map<string, Last>();
const underWay = new Map<string, Promise<unknown>>();

/**
 * Asks what an account may ask only once in so many milliseconds. Who comes too early gets the last answer: several
 * nodes that poll at the same moment would otherwise keep each other from ever being answered.
 */
export async function askInTurn(
	key: string,
	intervalMs: number,
	ask: () => Promise<Answer>,
): Promise<Answer> {
	const turn = turnAfter(underWay.get(key), key, intervalMs, ask);
	underWay.set(key, outcomeOf(turn));
	return await turn;
}

async function turnAfter(
	former: Promise<unknown> | undefined,
	key: string,
	intervalMs: number,
	ask: () => Promise<Answer>,
): Promise<Answer> {
	await former;
	const outcome = await outcomeOf(ask());
	if ('value' in outcome) {
		lastAnswers.set(key, { answer: outcome.value, until: clock.now() + intervalMs });
		return outcome.value;
	}
	const last = lastAnswers.get(key);
	if (last && clock.now() < last.until && isRateLimit(outcome.error)) return last.answer;
	throw outcome.error;
}
