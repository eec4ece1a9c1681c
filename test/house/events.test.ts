/** Every event of both triggers has its tests and its line in the documentation. CONTRIBUTING.md describes them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const events = Object.entries({ ...linkEvents, ...readerEvents }).map(([event, { name }]) => ({
	event,
	name,
}));

const polls = readdirSync(join(root, 'test/polls'), { recursive: true, encoding: 'utf8' })
	.map((file) => join('test/polls', file))
	.filter((file) => file.endsWith('.test.ts'))
	.map(read)
	.join('\n');
const histories = read('test/faults/histories.test.ts');
const page = read('docs/triggers.md');

it.each(events)('$event is polled, has a history, and is on the page of the triggers', ({ event, name }) => {
	const named = new RegExp(`\\b${event}\\b`);
	const missing = [
		...(named.test(polls) ? [] : [`no test polls ${event}: write one in test/polls`]),
		...(new RegExp(`^\\t${event}: `, 'm').test(histories)
			? []
			: [`${event} has no history: add a world to test/faults/histories.test.ts`]),
		...(page.includes(name) ? [] : [`"${name}" is not documented: add it to docs/triggers.md`]),
	];
	expect(missing).toEqual([]);
});
