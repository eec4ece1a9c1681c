/** Writes the documentation pages with measurements. Run directly, this file lists those that are out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { ItemCost } from './items.ts';
import type { Job } from './jobs.ts';
import type { Load } from './load.ts';
import type { Throughput } from './throughput.ts';

const root = join(import.meta.dirname, '..');

/** A Markdown table; all columns except the first contain numbers. */
const table = (...rows: Array<Array<string | number>>): string => {
	const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
	const line = `|${rows[0]!.map((_, column) => (column === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
	return [head, line, ...body].join('\n');
};
const number = (value: number): string => value.toLocaleString('en');
const kilobytes = (bytes: number): string => `${number(Math.round(bytes / 1000))} kB`;
const megabytes = (bytes: number): string => `${number(Math.round(bytes / 1e6))} MB`;

const roundOf = (requests: number, minutes: number): string =>
	`${number(requests)} ${requests === 1 ? 'request' : 'requests'}, ${number(minutes)} min`;

export interface Results {
	machine: { processor: string; cores: number; memory: number; system: string; node: string };
	jobs: Job[];
	throughput: Throughput;
	items: ItemCost[];
	loads: Array<Omit<Load, 'modules'> & { name: string; modules: number }>;
}

/** The text of docs/performance.md. */
function performancePageOf({ machine, jobs, throughput, items, loads }: Results): string {
	const { processor, cores, memory, system, node } = machine;
	const rates = [
		['Link Manager on n8n-core', throughput.linkManager],
		['a plain node over n8n’s authenticated helper', throughput.plain],
		['n8n’s HTTP Request', throughput.httpRequest],
		['undici alone', throughput.bare],
	] as const;
	return `# Performance

\`npm run bench\` measures this; the page is generated from \`bench/results.json\`. All nodes run on n8n-core against the sandbox. n8n’s own nodes come with the playground, which \`npm start\` installs.

The machine: ${processor}, ${cores} cores, ${megabytes(memory)}, ${system}, Node.js ${node}. Times and memory depend on the machine. From run to run, ratios of times differ by up to a third.

## Requests

How many requests each job takes, and the fewest that the service allows. A session costs up to two more. HTTP Request uses n8n’s pagination; it needs several nodes for the other jobs. [The rate limit](link-manager.md#many-items-and-the-rate-limit) adds waiting time.

${table(
	['Job', 'Fewest', 'These nodes', 'HTTP Request'],
	...jobs.map((job) => [
		job.name,
		number(job.least),
		number(job.requests),
		job.httpRequest === undefined ? '' : number(job.httpRequest),
	]),
)}

## Requests per second

One request for each of 300 items, five at a time; the median of fifteen rounds.

${table(
	['', 'Requests per second', 'Link Manager takes'],
	...rates
		.filter(([, rate]) => rate !== undefined)
		.map(([name, rate = 0]) => [
			name,
			number(Math.round(rate)),
			`${(rate / throughput.linkManager).toFixed(2)} times as long`,
		]),
)}

## Items

The cost of an item, with a service that responds at once: marking stories as read; writing the same output with n8n’s Edit Fields (Set) node, which sends no requests; and listing saved stories. Memory is the largest growth of the process. n8n keeps all output in memory.

${table(
	['Items', 'Marking, each', 'Memory', 'Set, each', 'Memory', 'Listing, each', 'Memory'],
	...[...new Set(items.map((cost) => cost.items))].map((count) => [
		number(count),
		...(['marked', 'set', 'listed'] as const).flatMap((kind) => {
			const cost = items.find((measured) => measured.kind === kind && measured.items === count);
			return cost ? [`${cost.ms.toFixed(3)} ms`, megabytes(cost.memory)] : ['', ''];
		}),
	]),
)}

## Loading

Loading into a process that already has n8n-workflow; the fastest of five. The first use of these nodes also loads their code: one file of about 800 kB.

${table(
	['', 'Time', 'Modules', 'Heap', 'Files'],
	...loads.map(({ name, milliseconds, modules, heap, size }) => [
		name,
		`${milliseconds.toFixed(1)} ms`,
		number(modules),
		kilobytes(heap),
		kilobytes(size),
	]),
)}
`;
}

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

/** The text of docs/scale.md. */
function scalePageOf({ accounts, crowds, processes }: ScaleResults): string {
	return `# Scale

\`npm run bench:scale\` measures this; the page is generated from \`bench/scale.json\`. Accounts and clock are simulated, with a limit of 30 requests a minute. Milliseconds and memory depend on the machine.

## Large accounts

One trigger, polled every minute, is alone on its account. After the first round, ten events happen.

${table(
	['', 'First round', 'Next round', 'Emitted', 'After', 'Longest poll', 'Memory', 'State'],
	...accounts.map(({ name, first, minutes, requests, emitted, news, delay, ms, memory, state }) => [
		name,
		roundOf(first.requests, first.minutes),
		roundOf(requests, minutes),
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

- **Counting clicks or scans in one trigger: about 40,000 records.** A round then takes a quarter of an hour because of the rate limit, and n8n saves hundreds of kilobytes of state with every emission. For larger accounts, request the few records that matter: **Get** of a link or a code costs one request.
- **New records: no limit in practice.** This holds for New Short Link and New QR Code, if the service lists newest first. With **All Existing**, each poll emits at most **Maximum per Poll**: at one poll a minute, 20,000 records take seven hours with 50 a poll, the default. New Channel Item and New Domain have [a limit](operating-triggers.md#link-manager-details).
- **Unread stories in a trigger: the newest 500 of each feed.** The response grows with the number of unread stories, so mark stories as read that nobody will read.
- **Workflows on one link account: as many as the rate limit allows.** If all poll at the same minute, the last ones never get a turn. Give them different minutes or longer intervals. Better, let one trigger start one workflow that calls the others (**Execute Sub-workflow**).
- **Workers on one key: they take as long as one.** The more there are, the more requests are refused and sent again, to which a host may object.
`;
}

/** The page for each file of results. */
const pages = {
	'bench/results.json': {
		page: 'docs/performance.md',
		text: (kept: unknown) => performancePageOf(kept as Results),
	},
	'bench/scale.json': { page: 'docs/scale.md', text: (kept: unknown) => scalePageOf(kept as ScaleResults) },
};
type File = keyof typeof pages;

const formatted = async (file: string, text: string): Promise<string> => {
	const path = join(root, file);
	return await format(text, { ...(await resolveConfig(path)), filepath: path });
};

/** Prints the page of results. With `write`, writes the results and their page instead. */
export async function publish(file: File, figures: Results | ScaleResults, write: boolean): Promise<void> {
	const { page, text } = pages[file];
	const content = await formatted(page, text(figures));
	if (!write) return console.log(`\n${content}\nNothing was written. With --write this becomes ${page}.`);
	writeFileSync(join(root, file), await formatted(file, JSON.stringify(figures)));
	writeFileSync(join(root, page), content);
	console.log(`Wrote ${file} and ${page}`);
}

if (process.argv[1] === import.meta.filename) {
	for (const [file, { page, text }] of Object.entries(pages)) {
		const figures = JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
		const path = join(root, page);
		if (existsSync(path) && readFileSync(path, 'utf8') === (await formatted(page, text(figures)))) continue;
		console.error(`${page} does not match ${file}`);
		process.exitCode = 1;
	}
}
