import type { ItemCost } from './items.ts';
import type { Job } from './jobs.ts';
import type { Load } from './load.ts';
import { kilobytes, megabytes, number, table } from './table.ts';
import type { Throughput } from './throughput.ts';

export interface Results {
	machine: { processor: string; cores: number; memory: number; system: string; node: string };
	jobs: Job[];
	throughput: Throughput;
	items: ItemCost[];
	loads: Array<Omit<Load, 'modules'> & { name: string; modules: number }>;
}

/** The page with the results. */
export function pageOf({ machine, jobs, throughput, items, loads }: Results): string {
	const { processor, cores, memory, system, node } = machine;
	const rates = [
		['Link Manager on n8n-core', throughput.linkManager],
		['a plain node over n8n’s authenticated helper', throughput.plain],
		['n8n’s HTTP Request', throughput.httpRequest],
		['undici alone', throughput.bare],
	] as const;
	return `# Performance

\`npm run bench\` measures this; the page is generated from \`bench/results.json\`. All nodes run on the same n8n-core engine against the same sandbox, in one run and in turns. n8n’s own nodes come with the playground, which \`npm start\` installs.

The machine: ${processor}, ${cores} cores, ${megabytes(memory)}, ${system}, Node.js ${node}. Times depend on the machine; ratios and counts don’t.

## Requests

How many requests each job takes, and the fewest that the service allows. A session costs two extra requests: login and check. n8n’s HTTP Request uses pagination; it needs several nodes for the other jobs.

The rate limit adds waiting time. Hosts report the end of a window in whole seconds, so a run waits up to a second too long in each window; with windows of five seconds or less, that is noticeable.

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

The cost of an item in n8n and the node, with a service that responds at once: marking stories as read, a hundred with each request; writing the same output with n8n’s Edit Fields (Set) node, which sends no requests; and listing saved stories, a hundred on each page. Memory is the largest growth of the process. n8n keeps all output in memory, about 1.5 kB for each listed story.

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

Loading into a process that already has n8n-workflow; the fastest of five.

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

Tests in \`test/load\` fail if the number of requests or modules grows. Times never fail a test.
`;
}
