import { kilobytes, megabytes, number, table } from './table.ts';

/** A trigger on one large account. Minutes are polls: it is polled every minute. */
export interface Account {
	/** The first time round, which learns what is there. */
	first: { minutes: number; requests: number };
	/** Once more round. */
	minutes: number;
	requests: number;
	/** Minutes until the last of the news was told. */
	delay: number;
	told: number;
	news: number;
	/** The longest poll, in milliseconds. */
	ms: number;
	/** What the process grew by, and what n8n saves: bytes. */
	memory: number;
	state: number;
}

/** Workflows that poll one account for twenty minutes. */
export interface Crowd {
	/** A minute. */
	requests: number;
	/** How many workflows were ever let ask. */
	heard: number;
	/** The most minutes that one went without. */
	longest: number;
}

/** Workers that share one key. */
export interface Processes {
	requests: number;
	/** How many were refused, and made again. */
	refused: number;
	/** What they took, and the least that the limit allows. */
	seconds: number;
	least: number;
}

export interface ScaleResults {
	accounts: Array<Account & { name: string }>;
	crowds: Array<Crowd & { name: string }>;
	processes: Array<Processes & { name: string }>;
}

const oneOf = (told: number, news: number): string => (told === news ? 'all' : `${told} of ${news}`);

/** The page of the documentation that tells the figures. */
export function scalePageOf({ accounts, crowds, processes }: ScaleResults): string {
	return `# Scale

\`npm run bench:scale\` measures this, and writes this page of \`bench/scale.json\`. The package as it is built polls services that make up accounts of any size, with the link service’s limit of 30 requests a minute; its time is jumped through, not waited for. Requests, state and minutes are the same on every machine; milliseconds and memory are not.

## Large accounts

A trigger that is polled every minute, alone on its account. Ten things happen, spread over the account, after it has learnt what is there.

${table(
	['', 'First round', 'A round', 'Told', 'After', 'Longest poll', 'Memory', 'State'],
	...accounts.map(({ name, first, minutes, requests, told, news, delay, ms, memory, state }) => [
		name,
		`${number(first.requests)} requests, ${number(first.minutes)} min`,
		`${number(requests)} ${requests === 1 ? 'request' : 'requests'}, ${number(minutes)} min`,
		oneOf(told, news),
		told === 0 ? '' : `${number(delay)} min`,
		`${number(Math.round(ms))} ms`,
		megabytes(memory),
		kilobytes(state),
	]),
)}

## Many workflows on one account

Each with a trigger of its own, for twenty minutes, in one process.

${table(
	['', 'Requests a minute', 'Workflows that were let ask', 'Longest without'],
	...crowds.map(({ name, requests, heard, longest }) => [
		name,
		requests.toFixed(1),
		number(heard),
		`${number(longest)} min`,
	]),
)}

## Many workers on one key

Requests drawn from one queue, five at a time by each worker. The service tells in whole seconds when a window ends.

${table(
	['Workers, limit', 'Requests', 'Refused', 'Took', 'The limit allows'],
	...processes.map(({ name, requests, refused, seconds, least }) => [
		name,
		number(requests),
		number(refused),
		`${number(Math.round(seconds))} s`,
		`${number(least)} s`,
	]),
)}

## Where it stops being sensible

- **Counting clicks or scans in one trigger: 40,000 records.** So many are remembered, in less than a megabyte that n8n reads and writes with every hand-over. Of a longer list those that the service lists first are watched, and those that are new; of the others nothing is told. A round of 40,000 takes a quarter of an hour, by the limit and not by the machine. For more, ask the few that matter one by one: **Get** of a link or a code every hour costs one request each.
- **New records: no limit in practice.** New Short Link and New QR Code ask once a poll however many there are, where the service lists newest first. Only the first time round reads everything: a million take hours, and what is created meanwhile is told after them.
- **Unread stories: no limit in practice.** One request a poll. The answer grows with what is unread: mark as read what nobody will read.
- **Workflows on one link account: as many as the limit lets ask.** All at the same minute, those that n8n calls last are never let ask. Give them different minutes, or longer intervals, so that all their polls together stay under the limit; better, let one trigger start one workflow that hands on to the others (**Execute Sub-workflow**): one poll for all.
- **Workers on one key: as many as the limit has requests in a window.** With more, there is less than one request for each in every window, and most learn only by a refusal that nothing is left. No time is lost by that, but a host may mind: let fewer workers do it, they make as many requests.
`;
}
