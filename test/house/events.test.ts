/** Every event of both triggers has the tests and the documentation that CONTRIBUTING.md requires. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import { cases as hostileCases } from '../faults/trigger-hostile-cases';

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

/** The cells in the first column of all tables. */
const firstColumn = (markdown: string): string[] =>
	[...markdown.matchAll(/^\| ([^|]*?) +\|/gm)].flatMap(([, cell = '']) => cell.split(', '));
const guide = firstColumn(read('docs/triggers.md'));
const requests = firstColumn(/^## Requests of a poll$[^#]*/m.exec(read('docs/operating-triggers.md'))![0]);

it.each(events)('$event has its tests and its rows in the documentation', ({ event, name }) => {
	const eventName = new RegExp(`\\b${event}\\b`);
	const missing = [
		...(eventName.test(polls) ? [] : [`no test polls ${event}: write one in test/polls`]),
		...(new RegExp(`^\\t${event}: `, 'm').test(histories)
			? []
			: [`${event} has no history: add a world to test/faults/histories.test.ts`]),
		...(name in hostileCases
			? []
			: [`"${name}" meets no hostile responses: add a case to test/faults/trigger-hostile-cases.ts`]),
		...(guide.includes(name) ? [] : [`"${name}" is not documented: add it to a table of docs/triggers.md`]),
		...(requests.includes(name)
			? []
			: [`"${name}" has no requests: add it to "Requests of a poll" in docs/operating-triggers.md`]),
	];
	expect(missing).toEqual([]);
});
