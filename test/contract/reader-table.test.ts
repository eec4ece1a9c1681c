import type { IDataObject } from 'n8n-workflow';
import { differencesOf } from '../../check/outcome.ts';
import { outputSchema, type Operation } from '../../nodes/runtime/table/operation';
import { readerRoutes } from '../../sandbox/reader/routes/index.ts';
import type { Reader } from '../../sandbox/reader/reader.ts';
import { readerTable } from '../../nodes/tables';
import { keyOf } from '../../cases/endpoint.ts';
import { missingFrom } from '../support/cases/parameters';
import { endpointOf, readerCases } from '../../cases/reader/index.ts';
import { opinions, type ReaderCase } from '../../cases/reader/vocabulary.ts';
import { nameOfCase } from '../support/cases/reader-rows';

/** Parameters that the form lacks or names differently, with the reason. */
const otherNames: Record<string, Record<string, string>> = {
	'POST /reader/move_feed_to_folder': {
		in_folder: 'looked up unless the feed is in several folders',
		to_folder: 'blank for the top level',
	},
	'POST /reader/move_folder_to_folder': {
		in_folder: 'looked up: a folder is chosen by its path',
		to_folder: 'blank for the top level',
	},
	'POST /reader/rename_folder': { in_folder: 'looked up: a folder is chosen by its path' },
	'POST /reader/delete_folder': {
		in_folder: 'looked up: a folder is chosen by its path',
		feed_id: 'looked up: all feeds inside go with the folder',
	},
	'POST /api/signup': { password: 'needed: real hosts make a blank one the user name' },
	'POST /social/remove_comment_reply': { reply_id: 'needed by real hosts' },
	'POST /classifier/save': Object.fromEntries(
		opinions.map((name) => [name, 'an entry of a list of opinions']),
	),
};

const rows: Operation[] = Object.values(readerTable).flatMap(({ operations }): Operation[] =>
	Object.values(operations),
);
const endpointRows = rows.filter((row) => !row.isExtra);
const keyOfRow = (row: Operation): string =>
	keyOf({ method: row.method, path: row.template }) + ('h' in row.query ? ' by h' : '');
const sorted = (texts: string[]) => [...texts].sort();

/** Options of a form that send no value. */
const unsentOptions: Record<string, string[]> = { direction: ['all'] };

it('has one row for every case, and a case for every row', () => {
	const offered = endpointRows.map(keyOfRow);
	const transcribed = readerCases.map(nameOfCase);
	expect([
		...missingFrom(transcribed, offered, 'cases/reader, from the interface document'),
		...missingFrom(offered, transcribed, 'nodes/NewsReader/resources'),
	]).toEqual([]);
	expect(sorted(offered)).toEqual(sorted(transcribed));
});

it('has every endpoint in the sandbox', () => {
	const asTheContractSays = { differs: () => false } as unknown as Reader;
	const served = new Set(
		readerRoutes(asTheContractSays).flatMap(({ method, path }) =>
			(method === 'BOTH' ? ['GET', 'POST'] : [method]).map((each) => keyOf({ method: each, path })),
		),
	);
	const transcribed = readerCases.map((one) => keyOf(endpointOf(one)).replace(/\/$/, ''));
	expect(missingFrom([...served], transcribed, 'sandbox/reader/routes')).toEqual([]);
});

/** Members that servers never send in these responses (seen in the wild). */
it.each([
	['savedStory.getAll', ['score', 'read']],
	['story.getHistory', ['score']],
	['story.getByHash', ['read']],
	['share.create', ['score', 'read']],
	['share.getAll', ['score']],
	['river.getShared', ['score']],
	['share.getStatistics', ['storiesLastMonth']],
	['share.getTrainer', ['feedTags', 'feedAuthors']],
	['comment.like', ['replyId']],
])('%s says that %s can be missing', (name, members) => {
	const [resource, operation] = name.split('.') as [keyof typeof readerTable, string];
	const operations = readerTable[resource].operations as Record<string, Operation>;
	const { properties } = outputSchema(operations[operation]!);
	for (const member of members)
		expect(properties?.[member]?.description).toMatch(
			/^Always null|; (null|none) (if|for|otherwise)|; null otherwise$/,
		);
});

describe.each(readerCases.map((one): [string, ReaderCase] => [nameOfCase(one), one]))(
	'%s',
	(key, readerCase) => {
		const endpoint = endpointOf(readerCase);
		const parameters = readerCase.fields ?? {};
		const row = endpointRows.find((candidate) => keyOfRow(candidate) === key)!;
		const otherNamesOfEndpoint = otherNames[keyOf(endpoint)] ?? {};
		const fields = { ...row?.query, ...row?.body };

		it('has the parameters and the required parameters of the endpoint', () => {
			const paging = Object.keys(row.paging?.query(1, 1) ?? {});
			const offered = new Set([...Object.keys(fields), ...paging]);
			const expected = Object.keys(parameters).filter((name) => !(name in otherNamesOfEndpoint));
			const missing = expected.filter((name) => !offered.has(name));
			expect(missing).toEqual([]);
			const known = new Set([...Object.keys(parameters), ...(readerCase.seen ?? [])]);
			expect([...offered].filter((name) => !known.has(name))).toEqual([]);
			const requirements = expected
				.filter((name) => name in fields && !endpoint.by)
				.map((name) => [name, fields[name]!.required]);
			expect(requirements).toEqual(requirements.map(([name]) => [name, parameters[String(name)]!.required]));
		});

		it('declares the members that it returns, and their types', () => {
			const records = [0, 1, 2].flatMap((n) => readerCase.item(n, 'contract').records);
			expect(differencesOf(records as IDataObject[], outputSchema(row))).toEqual([]);
		});

		it('is marked if the endpoint is deprecated', () => {
			expect(/deprecated/i.test(`${row.name} ${row.action} ${row.description}`)).toBe(
				readerCase.deprecated ?? false,
			);
		});

		for (const [name, { type }] of Object.entries(parameters)) {
			if (typeof type === 'string' || name === 'post_to_services') continue;
			it(`offers every value of ${name}`, () => {
				const [property] = fields[name]!.properties(name);
				const offered = (property?.options ?? []).map((option) =>
					'value' in option ? String(option.value) : '',
				);
				const sent = offered.filter((value) => !unsentOptions[name]?.includes(value));
				expect(sorted(sent)).toEqual(sorted([...type]));
			});
		}
	},
);
