/**
 * Random runs of If Exists: at the end the service has, for each record, what the last successful item asked for, `differs`
 * is empty exactly then, and no record exists twice.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { propertyOptions } from '../support/cases/random';
import { variants } from '../../cases/endpoint.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { records, runNode, startEngine } from '../support/nodes/link-node';

const RUNS = 12;

interface Kind {
	path: string;
	collection: string;
	/** Two spellings of each of three identities. */
	spellings: string[][];
	/** The parameters of an item with one of these identities and values. */
	form(identity: string, value: string): IDataObject;
	/** Which of the parameters are additional fields. */
	fields: string[];
	/** What identifies a record, and its value. */
	identityOf(record: IDataObject): string;
	valueOf(record: IDataObject): unknown;
}

const lower = (value: unknown): string => String(value).toLowerCase();

const kinds: Record<string, Kind> = {
	shortLink: {
		path: 'url',
		collection: 'urls',
		spellings: [
			['https://example.com?a=1', 'https://EXAMPLE.com:443/?a=1'],
			['https://example.com/caf%c3%a9', 'https://example.com/café'],
			['https://münchen.example', 'https://xn--mnchen-3ya.example/'],
		],
		form: (url, description) => ({ url, description }),
		fields: ['description'],
		identityOf: ({ longurl }) => new URL(String(longurl)).href.toLowerCase(),
		valueOf: ({ description }) => description,
	},
	campaign: {
		path: 'campaign',
		collection: 'campaigns',
		spellings: [['Spring', 'Spring '], ['Summer'], ['Autumn']],
		form: (name, value) => ({ name, public: value === 'a' }),
		fields: ['public'],
		identityOf: ({ name, domain }) => lower(name ?? domain),
		valueOf: (record) => (Number(record.public) ? 'a' : 'b'),
	},
	channel: {
		path: 'channel',
		collection: 'channels',
		spellings: [['Letter', ' Letter'], ['Front Page'], ['Shop']],
		form: (name, description) => ({ name, description }),
		fields: ['description'],
		identityOf: ({ name }) => lower(name),
		valueOf: ({ description }) => description,
	},
	pixel: {
		path: 'pixel',
		collection: 'pixels',
		spellings: [['T-1', ' T-1'], ['T-2'], ['t-1']],
		form: (tag, name) => ({ tag, name, pixelType: 'bing' }),
		fields: [],
		identityOf: ({ tag }) => String(tag),
		valueOf: ({ name }) => name,
	},
	domain: {
		path: 'domain',
		collection: 'domains',
		spellings: [['https://go.example', 'GO.example:443/'], ['http://go.example'], ['https://see.example']],
		form: (domain, value) => ({ domain, redirectroot: `https://example.com/${value}` }),
		fields: ['redirectroot'],
		identityOf: ({ domain }) => String(domain),
		valueOf: ({ redirectroot }) => String(redirectroot).split('/').at(-1),
	},
};

const item = fc.record({
	which: fc.nat(2),
	spelling: fc.nat(1),
	value: fc.constantFrom('a', 'b'),
	ifExists: fc.constantFrom('return', 'update', 'update', 'fail'),
});
type Item = typeof item extends fc.Arbitrary<infer One> ? One : never;

let engine: Engine;

beforeAll(async () => {
	engine = await startEngine();
});

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
	});
	afterAll(() => sandbox.stop());

	it.each(Object.entries(kinds))('%s', async (resource, kind) => {
		const { path, collection, spellings, form, fields, identityOf, valueOf } = kind;
		const listed = async (): Promise<IDataObject[]> =>
			(await sandbox.client.entries(
				`/${path === 'url' ? 'urls' : `${path}s`}?limit=100`,
				collection,
			)) as IDataObject[];

		/** Runs the node once; returns what each successful item asked for, with its output. */
		const run = async (items: Item[], concurrency: number) => {
			const identities = items.map(
				({ which, spelling }) => spellings[which]![spelling] ?? spellings[which]![0]!,
			);
			const inputs = items.map(({ value, ifExists }, n) => ({ ...form(identities[n]!, value), ifExists }));
			const expressions = Object.keys(inputs[0]!).map((name) => [name, `={{ $json.${name} }}`] as const);
			const node = {
				...{ resource, operation: 'create' },
				...Object.fromEntries(expressions.filter(([name]) => !fields.includes(name))),
				additionalFields: Object.fromEntries(expressions.filter(([name]) => fields.includes(name))),
			};
			const result = await runNode(engine, sandbox, { ...node, options: { concurrency } }, inputs, {
				onError: 'continueRegularOutput',
			});
			return records(result).map((output, n) => ({ output, value: items[n]!.value, item: items[n]! }));
		};

		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(item, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
				async (runs) => {
					const last = new Map<string, { value: string; differs: unknown }>();
					try {
						for (const items of runs) {
							for (const {
								output,
								value,
								item: { ifExists },
							} of await run(items, 3)) {
								if ('error' in output) expect(ifExists).toBe('fail');
								else last.set(String(output.id), { value, differs: output.differs });
							}
						}
						const stored = await listed();
						expect(stored).toHaveLength(new Set(stored.map(identityOf)).size);
						for (const [id, { value, differs }] of last) {
							const record = stored.find((candidate) => String(candidate.id) === id)!;
							expect([value, differs]).toEqual(
								valueOf(record) === value ? [value, []] : [value, [expect.anything()]],
							);
						}
					} finally {
						for (const { id } of await listed()) {
							await sandbox.client.call('DELETE', `/${path}/${String(id)}/delete`);
						}
					}
				},
			),
			{ ...propertyOptions(RUNS), endOnFailure: true },
		);
	});
});
