import { clock } from '../transport/rateLimit';
import type { Answer } from '../transport/http';
import { within } from './timeLimit';
import { isRateLimit, outcomeOf } from './failures';

/** What came last, and until when it may stand in: epoch milliseconds. */
interface Last {
	answer: Answer;
	until: number;
}

/** Nobody waits longer than this for another's answer, in milliseconds: it may never come. */
const LONGEST_WAIT_MS = 10_000;

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
	longestWaitMs = LONGEST_WAIT_MS,
): Promise<Answer> {
	const former = underWay.get(key) ?? Promise.resolve();
	const over = outcomeOf(within(longestWaitMs, former, () => new Error('The answer did not come')));
	const turn = turnAfter(over, key, intervalMs, ask);
	underWay.set(key, outcomeOf(turn));
	return await turn;
}

async function turnAfter(
	former: Promise<unknown>,
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
