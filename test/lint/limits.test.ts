/** The limits of all numbers in forms. Workflows save such numbers: a limit may be lifted, but not tightened. */
import { parametersOf } from './walk';
import { engine } from '../support/nodes/suite-engine';

const FILE = 'test/lint/limits.test.ts';

type Limits = Record<string, [least: number, most: number]>;

const ofLists: Limits = {
	limit: [1, Infinity],
	listLimit: [1, Infinity],
	concurrency: [1, 20],
	maximumWait: [0, Infinity],
};
const ofPolls: Limits = { firstCount: [1, 1000], maximum: [1, 1000], repeatMinutes: [0, 1440] };

it.each<[string, Limits]>([
	['linkManager', { ...ofLists, size: [1, Infinity] }],
	['linkManagerTrigger', ofPolls],
	[
		'newsReader',
		{
			...ofLists,
			autoMarkDays: [0, 365],
			batchSize: [1, Infinity],
			days: [0, Infinity],
			infrequent: [1, Infinity],
			muteDays: [1, Infinity],
			offset: [0, Infinity],
			trendingDays: [1, 30],
			unreadDays: [1, 365],
		},
	],
	['newsReaderTrigger', { ...ofPolls, threshold: [1, Infinity] }],
])('%s has these limits', (node, limits) => {
	const numbers = parametersOf(engine.nodeType(`n8n-nodes-newslink.${node}`).description)
		// n8n adds the poll times to every trigger.
		.filter(({ path, property }) => property.type === 'number' && !path.startsWith('pollTimes'))
		.map(({ property: { name, typeOptions: { minValue = -Infinity, maxValue = Infinity } = {} } }) => [
			name,
			[minValue, maxValue],
		]);
	const changed = numbers
		.filter(([name, limit]) => JSON.stringify(limit) !== JSON.stringify(limits[String(name)]))
		.map(
			([name, limit]) =>
				`${name} has the limits ${limit}: list them in ${FILE}, and tighten no published limit`,
		);
	const removed = Object.keys(limits)
		.filter((name) => !numbers.some(([other]) => other === name))
		.map((name) => `${name} is in no form: remove it from ${FILE}, unless it was published`);
	expect([...changed, ...removed]).toEqual([]);
});
