import { prominent } from '../../runtime/fields/field';
import { choice } from '../../runtime/fields/kinds';
import { anInteger, record } from '../../runtime/table/record';
import { operation, type Operation, type Tools } from '../../runtime/table/operation';
import { clock } from '../../runtime/transport/rateLimit';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { countsOf } from './feedList';
import { membersOf } from './shared';

/** The service wants this to be asked at most once a minute (interface document, Limits). */
const INTERVAL_MS = 60_000;

/** The last answer of each account in this process, or the one on its way, and until when it may stand in. */
const lastAnswers = new Map<string, { answer: Promise<Answer>; until: number }>();

/** Asks anew, which waits until the minute is over; what comes is remembered for a minute. */
async function askedAnew(tools: Tools, account: string): Promise<Answer> {
	const answer = tools.ask(refreshCounts);
	const entry = { answer, until: Infinity };
	lastAnswers.set(account, entry);
	const forget = (): void => {
		if (lastAnswers.get(account) === entry) lastAnswers.delete(account);
	};
	answer.then(() => (entry.until = clock.now() + INTERVAL_MS), forget);
	return await answer;
}

async function countsNow(tools: Tools, mayBeLast: boolean): Promise<Answer> {
	const account = await tools.account();
	const last = lastAnswers.get(account);
	const stands = mayBeLast && last !== undefined && clock.now() < last.until;
	return stands ? await last.answer : await askedAnew(tools, account);
}

const counts = record({ id: anInteger, ps: anInteger, nt: anInteger, ng: anInteger });

export const refreshCounts: Operation = operation('GET /reader/refresh_feeds', {
	name: 'Refresh Counts',
	action: 'Refresh the unread counts of feeds',
	description: 'Get the current unread counts of the active feeds, at most once a minute',
	interval: INTERVAL_MS,
	form: {
		withinMinute: prominent(
			choice(
				'If Called Within a Minute',
				{ last: 'Return the Last Answer', wait: 'Wait' },
				{
					parameter: 'withinMinute',
					default: 'wait',
					description: 'The service wants this to be asked once a minute at most',
				},
			),
		),
	},
	output: {
		kind: counts,
		pick: ({ json }) => json,
		simple: {
			kind: record({ id: anInteger, focus: anInteger, unread: anInteger, hidden: anInteger }),
			of: (feed) => ({ id: feed.id, ...countsOf(feed) }),
		},
	},
	run: async ({ form }, tools) => {
		const answer = await countsNow(tools, form.withinMinute === 'last');
		const { feeds, social_feeds: shareFeeds } = isRecord(answer.json) ? answer.json : {};
		const records = [...keyed(feeds), ...keyed(shareFeeds)];
		return tools.results(records, answer);
	},
});

/** The records of an object keyed by id; a record may leave its id to its key. */
const keyed = (feeds: unknown): Array<Record<string, unknown>> =>
	isRecord(feeds)
		? Object.entries(feeds).flatMap(([id, feed]) => (isRecord(feed) ? [{ id, ...feed }] : []))
		: (membersOf(feeds) ?? []).filter(isRecord);
