/** Every event of both triggers has the tests and the documentation that CONTRIBUTING.md requires. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import { missingFrom } from '../support/cases/parameters';
import { eventNames } from '../support/triggers/worlds';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const events = Object.entries({ ...linkEvents, ...readerEvents }).map(([event, { name }]) => ({
	event,
	name,
}));

/** The cells in the first column of all tables. */
const firstColumn = (markdown: string): string[] =>
	[...markdown.matchAll(/^\| ([^|]*?) +\|/gm)].flatMap(([, cell = '']) => cell.split(', '));
const guide = firstColumn(read('docs/triggers.md'));
const requests = firstColumn(/^## Requests of a poll$[^#]*/m.exec(read('docs/operating-triggers.md'))![0]);

it.each(events)('$event has its tests and its rows in the documentation', ({ event, name }) => {
	const missing = [
		...missingFrom(eventNames, [event], 'test/support/triggers/worlds.ts'),
		...(guide.includes(name) ? [] : [`"${name}" is not documented: add it to a table of docs/triggers.md`]),
		...(requests.includes(name)
			? []
			: [`"${name}" has no requests: add it to "Requests of a poll" in docs/operating-triggers.md`]),
	];
	expect(missing).toEqual([]);
});
