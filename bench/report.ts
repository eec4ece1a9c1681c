import type { ItemCost } from './items.ts';
import type { Job } from './jobs.ts';
import type { Load } from './load.ts';
import type { Throughput } from './throughput.ts';

export interface Results {
	machine: { processor: string; cores: number; memory: number; system: string; node: string };
	jobs: Job[];
	throughput: Throughput;
	items: ItemCost[];
	loads: Array<Load & { name: string }>;
}

const table = (...rows: Array<Array<string | number>>): string => {
	const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
	const line = `|${rows[0]!.map((_, column) => (column === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
	return [head, line, ...body].join('\n');
};
const number = (value: number): string => value.toLocaleString('en');
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** The page of the documentation that tells the figures. */
export function pageOf({ machine, jobs, throughput, items, loads }: Results): string {
	const { processor, cores, memory, system, node } = machine;
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

One request for each of 300 items, five at a time, the median of seven rounds.

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

Stories marked as read, a hundred with a request, at a service that answers at once: what an item costs n8n and the node.

${table(
	['Items', 'An item takes', 'The process grew by'],
	...items.map((cost) => [number(cost.items), `${cost.ms.toFixed(3)} ms`, megabytes(cost.memory)]),
)}

## Loading

Into a process that has n8n-workflow: the fastest of five.

${table(
	['', 'Time', 'Modules', 'Heap', 'Files'],
	...loads.map(({ name, milliseconds, modules, heap, size }) => [
		name,
		`${milliseconds.toFixed(1)} ms`,
		modules.length,
		kilobytes(heap),
		kilobytes(size),
	]),
)}

Requests and modules are tested (\`test/load\`): a test fails when they grow. Times never fail a test.
`;
}
