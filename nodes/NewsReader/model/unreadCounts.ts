import type { IDataObject } from 'n8n-workflow';
import type { Tools } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { clock } from '../../runtime/transport/rateLimit';
import { isRecord } from '../../runtime/values';
import { membersOf } from './answers';

/** The service wants its counts to be asked for at most once a minute (interface document, Limits). */
export const COUNTS_INTERVAL_MS = 60_000;

/** The last answer of each account in this process, or the one on its way, and until when it may stand in. */
const lastAnswers = new Map<string, { answer: Promise<Answer>; until: number }>();

/** Asks anew, which waits until the minute is over; what comes is remembered for a minute. */
async function askAnew(account: string, ask: () => Promise<Answer>): Promise<Answer> {
	const answer = ask();
	const entry = { answer, until: Infinity };
	lastAnswers.set(account, entry);
	const forget = (): void => {
		if (lastAnswers.get(account) === entry) lastAnswers.delete(account);
	};
	answer.then(() => (entry.until = clock.now() + COUNTS_INTERVAL_MS), forget);
	return await answer;
}

/** The answer of the last minute if there is one and it will do, or a new one. */
export async function lastOrNewCounts(
	tools: Pick<Tools, 'account'>,
	lastWillDo: boolean,
	ask: () => Promise<Answer>,
): Promise<Answer> {
	const account = await tools.account();
	const last = lastAnswers.get(account);
	const stands = lastWillDo && last !== undefined && clock.now() < last.until;
	return stands ? await last.answer : await askAnew(account, ask);
}

/** The counts of an answer, those of feeds first, then those of share feeds. */
export function countsIn({ json }: Answer): Array<Record<string, unknown>> {
	const { feeds, social_feeds: shareFeeds } = isRecord(json) ? json : {};
	return [...recordsById(feeds), ...recordsById(shareFeeds)];
}

/** The records of an object keyed by id; a record may leave its id to its key. */
const recordsById = (feeds: unknown): Array<Record<string, unknown>> =>
	isRecord(feeds)
		? Object.entries(feeds).flatMap(([id, feed]) => (isRecord(feed) ? [{ id, ...feed }] : []))
		: (membersOf(feeds) ?? []).filter(isRecord);

/** The three counts of unread stories under names that explain themselves. */
export const namedCounts = (feed: IDataObject): IDataObject => ({
	focus: feed.ps ?? 0,
	unread: feed.nt ?? 0,
	hidden: feed.ng ?? 0,
});
