import { kilobytes, megabytes, number, table } from './table.ts';

/** The results of a trigger for one large account, which is polled once a minute. */
export interface Account {
	/** The first round, which reads the existing records. */
	first: { minutes: number; requests: number };
	/** The second round. */
	minutes: number;
	requests: number;
	/** Minutes until the last new record was emitted. */
	delay: number;
	emitted: number;
	news: number;
	/** The longest poll, in milliseconds. */
	ms: number;
	/** Growth of the process, and size of the saved state, in bytes. */
	memory: number;
	state: number;
}

/** The results of several workflows that poll one account for twenty minutes. */
export interface Crowd {
	/** Per minute. */
	requests: number;
	/** The number of workflows that polled at least once. */
	served: number;
	/** The longest wait of a workflow for a poll, in minutes. */
	longest: number;
}

/** The results of workers that share one API key. */
export interface Processes {
	requests: number;
	/** The number of requests that were refused and sent again. */
	refused: number;
	/** The duration, and the minimum that the limit allows, in seconds. */
	seconds: number;
	least: number;
}

export interface ScaleResults {
	accounts: Array<Account & { name: string }>;
	crowds: Array<Crowd & { name: string }>;
	processes: Array<Processes & { name: string }>;
}

const oneOf = (emitted: number, news: number): string => (emitted === news ? 'all' : `${emitted} of ${news}`);

/** The page with the results. */
export function scalePageOf({ accounts, crowds, processes }: ScaleResults): string {
	return `# Scale

\`npm run bench:scale\` measures this; the page is generated from \`bench/scale.json\`. The built package polls simulated accounts of any size, with a limit of 30 requests a minute and a simulated clock. Requests, state and minutes are the same on every machine; milliseconds and memory are not.

## Large accounts

One trigger, polled every minute, is alone on its account. After the first round, ten events happen, spread over the account.

${table(
	['', 'First round', 'Next round', 'Emitted', 'After', 'Longest poll', 'Memory', 'State'],
	...accounts.map(({ name, first, minutes, requests, emitted, news, delay, ms, memory, state }) => [
		name,
		`${number(first.requests)} requests, ${number(first.minutes)} min`,
		`${number(requests)} ${requests === 1 ? 'request' : 'requests'}, ${number(minutes)} min`,
		oneOf(emitted, news),
		emitted === 0 ? '' : `${number(delay)} min`,
		`${number(Math.round(ms))} ms`,
		megabytes(memory),
		kilobytes(state),
	]),
)}

## Many workflows on one account

Each workflow has its own trigger. All run in one process for twenty minutes.

${table(
	['', 'Requests a minute', 'Workflows that got to poll', 'Longest wait'],
	...crowds.map(({ name, requests, served, longest }) => [
		name,
		requests.toFixed(1),
		number(served),
		`${number(longest)} min`,
	]),
)}

## Many workers on one key

Workers take requests from one queue, five at a time each. The service reports the end of a window in whole seconds.

${table(
	['Workers, limit', 'Requests', 'Refused', 'Time taken', 'Minimum by the limit'],
	...processes.map(({ name, requests, refused, seconds, least }) => [
		name,
		number(requests),
		number(refused),
		`${number(Math.round(seconds))} s`,
		`${number(least)} s`,
	]),
)}

## Limits in practice

- **Counting clicks or scans in one trigger: 40,000 records.** The trigger remembers that many, in less than a megabyte of state, which n8n reads and writes with every emission. In a longer list, it watches the first 40,000 and new records, and misses events of the others. A round of 40,000 takes a quarter of an hour because of the rate limit. For larger accounts, request the few records that matter: **Get** of a link or a code every hour costs one request each.
- **New records: no limit in practice.** New Short Link and New QR Code need one request a poll if the service lists newest first. Only the first round reads everything: a million records take hours, and records created meanwhile are emitted afterwards.
- **Unread stories: no limit in practice.** One request a poll. The response grows with the number of unread stories, so mark stories as read that nobody will read.
- **Workflows on one link account: as many as the rate limit allows.** If all poll at the same minute, the last ones never get a turn. Give them different minutes or longer intervals, so that all polls together stay under the limit. Better, let one trigger start one workflow that calls the others (**Execute Sub-workflow**): one poll for all.
- **Workers on one key: as many as a window has requests.** With more, most workers learn only from a refusal that no request is left. That costs no time, but a host may object; fewer workers make as many requests.
`;
}
