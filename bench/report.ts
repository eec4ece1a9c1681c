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

/** The page of the documentation that tells the figures. */
export function pageOf({ machine, jobs, throughput, items, loads }: Results): string {
	const { processor, cores, memory, system, node } = machine;
	const of = (kind: ItemCost['kind']): ItemCost[] => items.filter((cost) => cost.kind === kind);
	const [marked, listed] = [of('marked'), of('listed')];
	const rates = [
		['Link Manager on n8n-core', throughput.linkManager],
		['a plain node over n8n’s authenticated helper', throughput.plain],
		['n8n’s HTTP Request', throughput.httpRequest],
		['undici alone', throughput.bare],
	] as const;
	return `# Performance

\`npm run bench\` measures this, and writes this page of \`bench/results.json\`. Peers run on the same n8n-core engine against the same sandbox, in one run and in turns. n8n’s own nodes come with the playground: \`npm start\` installs it.

The machine: ${processor}, ${cores} cores, ${megabytes(memory)}, ${system}, Node.js ${node}. Times are of that machine; ratios and counts hold elsewhere.

## Requests

What a job takes beside the least that the service allows. A session of the news reader takes a login and a look beside. n8n’s HTTP Request is set with pagination; the other jobs take several nodes with it.

${table(
	['Job', 'Least', 'These nodes', 'HTTP Request'],
	...jobs.map((job) => [
		job.name,
		number(job.least),
		number(job.requests),
		job.httpRequest === undefined ? '' : number(job.httpRequest),
	]),
)}

## Requests per second

One request for each of 300 items, five at a time, the median of fifteen rounds.

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

What an item costs n8n and the node, at a service that answers at once: stories that are marked as read, a hundred with a request, and saved stories that are listed, a hundred with a page. n8n keeps all that comes out, a kilobyte and a half for each of those.

${table(
	['Items', 'Marked: each', 'The process grew by', 'Listed: each', 'The process grew by'],
	...marked.map((cost, row) => [
		number(cost.items),
		...[cost, listed[row]!].flatMap(({ ms, memory }) => [`${ms.toFixed(3)} ms`, megabytes(memory)]),
	]),
)}

## Loading

Into a process that has n8n-workflow: the fastest of five.

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

Requests and modules are tested (\`test/load\`): a test fails when they grow. Times never fail a test.
`;
}
