import { readerDifferences } from '../../sandbox/reader/reader-differences.ts';
import { switchedOn } from '../../sandbox/shared/switched-on.ts';
import { asReader } from '../support/clients/reader-client.ts';
import { accountChecks } from '../support/cases/wild-checks/accounts.ts';
import type { Checks } from '../support/cases/wild-checks/check.ts';
import { feedChecks } from '../support/cases/wild-checks/feeds.ts';
import { pagingChecks } from '../support/cases/wild-checks/paging.ts';
import { peopleChecks } from '../support/cases/wild-checks/people.ts';
import { recordChecks } from '../support/cases/wild-checks/records.ts';
import { storyChecks } from '../support/cases/wild-checks/stories.ts';

/** The effect of each difference of the reader service seen on real hosts. */

const checks: Checks = {
	...accountChecks,
	...recordChecks,
	...storyChecks,
	...pagingChecks,
	...feedChecks,
	...peopleChecks,
};

/** Differences that other tests cover. */
const elsewhere = [
	...[
		'anonymous-demo',
		'anonymous-403',
		'cookie-name',
		'long-tokens',
		'any-scope',
		'own-clients',
		'automation',
	],
	...['refusals-200', 'html-errors', 'any-method'],
	...['empty-arrays', 'string-timestamps', 'float-timestamps', 'bare-arrays', 'envelope-wins'],
	...['hidden-key', 'bare-favicons', 'read-overlap', 'loose-hashes', 'optional-feeds'],
	...['split-tags', 'change-dates', 'possible-dates', 'merged-stories', 'folder-traps', 'no-favicons-route'],
	...['opml-queued', 'opml-html', 'shared-limit', 'view-limits', 'view-limits-silent'],
	...[
		'clusters',
		'exact-folders',
		'folder-paths',
		'short-trees',
		'kept-titles',
		'merged-uploads',
		'forced-marks',
		'exact-limits',
		'attack-ban',
		'river-bounds',
		'newer-classifiers',
		'newer-calls',
		'kept-pages',
		'cold-feeds',
		'date-ranges',
		'read-lists',
	],
];

test('every difference has a test', () => {
	const names = readerDifferences.map(({ name }) => name);
	expect([...Object.keys(checks), ...elsewhere].sort()).toEqual([...names].sort());
});

test('wild has the first difference of each group, except those of other variants', () => {
	const on = switchedOn(readerDifferences, 'wild', [], ['self-follow']);
	expect(['anonymous-demo', 'reads-echoed', 'shared-limit'].every((name) => on.has(name))).toBe(true);
	const off = ['anonymous-403', 'reads-left-out', 'view-limits', 'free-river', 'opml-queued', 'self-follow'];
	expect(off.filter((name) => on.has(name))).toEqual([]);
});

describe.each(Object.entries(checks))('%s', (name, check) => {
	test('is as seen', () => asReader({ wild: [name] }, check));

	test('is not so without it', () => expect(asReader({}, check)).rejects.toThrow());
});
