/**
 * Random runs of If Exists on a service whose lists move and whose connections break. At the end the service has, for each
 * record, what the last successful item asked for; `differs` is empty exactly then; and nothing was created that existed.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { propertyOptions } from '../support/cases/random';
import { variants } from '../../cases/endpoint.ts';
import { openAsVisitor } from '../support/clients/link-client';
import { FakeHost, type Responder } from '../support/hosts/fake-host';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { byId, records, runNode } from '../support/nodes/link-node';
import { engine } from '../support/nodes/suite-engine';

const RUNS = 2;
/** Records that no item asks for, so that lists have several pages. */
const OTHERS = 12;

/** What an item asks for. */
interface Item {
	ifExists: 'return' | 'update' | 'fail';
	/** The index of the identity, and of its spelling. */
	which: number;
	spelling: number;
	value: string;
	/** For short links. */
	alias?: string;
	domain?: string;
}

interface Kind {
	path: string;
	collection: string;
	/** Spellings of each of three identities. */
	spellings: [string, ...string[]][];
	/** The parameters of an item. */
	form(identity: string, item: Item): IDataObject;
	/** Which of the parameters are additional fields. */
	fields?: string[];
	/** Members that the service does not show: `differs` names them even if they are as asked for. */
	hidden?: string[];
	/** What the service needs to create the record number `n`, which no item asks for. */
	other(n: number): object;
	/** Whether a record is the one that a request would create. */
	isSame(record: IDataObject, body: IDataObject): boolean;
	/** Whether a record is as an item asks for it. */
	holds(record: IDataObject, identity: string, item: Item): boolean | Promise<boolean>;
}

const lower = (value: unknown): string => String(value).trim().toLowerCase();
/** A target, however it is spelled. */
const targetOf = (url: unknown): string => decodeURI(new URL(String(url)).href);
const originOf = (url: unknown): string => new URL(String(url).replace(/^(?!https?:)/i, 'https://')).origin;
/** The UTM source with which a visitor arrives. */
const sourceOf = async (shortUrl: unknown): Promise<string | null> => {
	const { headers } = await openAsVisitor(String(shortUrl));
	return new URL(headers.get('location')!).searchParams.get('utm_source');
};
const ownDomains = ['https://go.example', 'https://see.example'];

const kinds: Record<string, Kind> = {
	shortLink: {
		path: 'url',
		collection: 'urls',
		spellings: [
			['https://example.com?a=1', 'https://EXAMPLE.com:443/?a=1'],
			['https://example.com/caf%c3%a9', 'https://example.com/café'],
			['https://münchen.example', 'https://xn--mnchen-3ya.example/'],
		],
		form: (url, { value, alias = '', domain = '' }) => ({
			url,
			description: value,
			utmSource: value,
			custom: alias,
			domain: byId(domain),
		}),
		fields: ['description', 'utmSource', 'custom', 'domain'],
		hidden: ['parameters'],
		other: (n) => ({ url: `https://example.com/other/${n}` }),
		isSame: ({ longurl, alias, shorturl }, { url, custom, domain }) =>
			targetOf(longurl) === targetOf(url) ||
			(alias === custom && (!domain || originOf(shorturl) === originOf(domain))),
		holds: async ({ longurl, description, alias, shorturl }, url, item) => {
			const { origin } = new URL(String(shorturl));
			return (
				targetOf(longurl) === targetOf(url) &&
				description === item.value &&
				[alias, undefined].includes(item.alias) &&
				[origin, undefined].includes(item.domain) &&
				// Nothing serves the branded domains.
				(ownDomains.includes(origin) || (await sourceOf(shorturl)) === item.value)
			);
		},
	},
	campaign: {
		path: 'campaign',
		collection: 'campaigns',
		spellings: [['Spring', 'Spring '], ['Summer'], ['Autumn']],
		form: (name, { value }) => ({ name, public: value === 'red' }),
		fields: ['public'],
		other: (n) => ({ name: `Other ${n}` }),
		isSame: ({ name, domain }, body) => lower(name ?? domain) === lower(body.name),
		holds: (record, _, { value }) => Boolean(Number(record.public)) === (value === 'red'),
	},
	channel: {
		path: 'channel',
		collection: 'channels',
		spellings: [['Letter', ' Letter'], ['Front Page'], ['Shop']],
		form: (name, { value }) => ({ name, description: value }),
		fields: ['description'],
		other: (n) => ({ name: `Other ${n}` }),
		isSame: ({ name }, body) => lower(name) === lower(body.name),
		holds: ({ description }, _, { value }) => description === value,
	},
	pixel: {
		path: 'pixel',
		collection: 'pixels',
		spellings: [['T-1', ' T-1'], ['T-2'], ['t-1']],
		form: (tag, { value }) => ({ tag, name: value, pixelType: 'bing' }),
		other: (n) => ({ type: 'bing', tag: `O-${n}`, name: 'Other' }),
		isSame: ({ type, tag }, body) => type === body.type && tag === body.tag,
		holds: ({ name }, _, { value }) => name === value,
	},
	domain: {
		path: 'domain',
		collection: 'domains',
		spellings: [
			['https://a.example', 'A.example:443/'],
			['http://a.example'],
			['https://münchen.example', 'xn--mnchen-3ya.example'],
		],
		form: (domain, { value }) => ({ domain, redirectroot: `https://example.com/${value}` }),
		fields: ['redirectroot'],
		other: (n) => ({ domain: `https://other${n}.example` }),
		isSame: ({ domain }, body) => originOf(domain) === originOf(body.domain),
		holds: ({ redirectroot }, _, { value }) => String(redirectroot).endsWith(`/${value}`),
	},
	qrCode: {
		path: 'qr',
		collection: 'qrs',
		spellings: [['Menu', ' Menu '], ['Door'], ['Table 12']],
		form: (name, { value }) => ({ name, qrLink: `https://example.com/${value}` }),
		fields: ['name'],
		hidden: ['type', 'data'],
		other: (n) => ({ type: 'text', data: `Other ${n}`, name: `Other ${n}` }),
		isSame: ({ name }, body) => lower(name) === lower(body.name),
		holds: async ({ link }, _, { value }) => {
			const { headers } = await openAsVisitor(String(link));
			return headers.get('location') === `https://example.com/${value}`;
		},
	},
};

/** What goes wrong with a write: the connection breaks before or after the service carries it out. */
const fault = fc.constantFrom('none', 'none', 'none', 'none', 'lost request', 'lost response');
/** Before which pages another record is deleted, so that the ones behind it move to the page before. */
const moves = fc.oneof(fc.array(fc.boolean(), { maxLength: 6 }), fc.constant(Array<boolean>(9).fill(true)));
/** Runs of the node whose items ask for one of these values. */
const runOf = (value: fc.Arbitrary<string>) => {
	const item: fc.Arbitrary<Item> = fc.record({
		which: fc.nat(2),
		spelling: fc.nat(1),
		value,
		ifExists: fc.constantFrom('return', 'update', 'update', 'fail'),
		alias: fc.constantFrom(undefined, undefined, 'first', 'second'),
		domain: fc.constantFrom(undefined, undefined, ...ownDomains),
	});
	return fc.record({
		items: fc.array(item, { minLength: 1, maxLength: 6 }),
		faults: fc.array(fault, { maxLength: 6 }),
		moves,
	});
};
type Run = ReturnType<typeof runOf> extends fc.Arbitrary<infer One> ? One : never;
const IN_DOUBT = /connection was closed/;

/** Pages of 10, 9, 8, … entries where the node asks for 100, 99, 98, …: a tenth of the records makes as many pages. */
const SMALLER = 90;
const asked = (url: string): string =>
	url.replace(/limit=(\d+)/, (_, limit: string) => `limit=${Math.max(1, Number(limit) - SMALLER)}`);
const answered = (body: string): string =>
	body.replace(
		/"perpage":("?)(\d+)/,
		(_, quote: string, size: string) => `"perpage":${quote}${Number(size) + SMALLER}`,
	);

/** Why an item may fail, as the beginning or a part of its error. */
const REASONS: Array<[words: RegExp, isExpected: (item: Item, run: Run) => boolean]> = [
	[/exists already/, ({ ifExists }) => ifExists === 'fail'],
	[IN_DOUBT, (_, { faults }) => faults.some((fault) => fault !== 'none')],
	[/kept changing while it was read/, (_, { moves }) => moves.includes(true)],
	// The service lets only one link have an alias, whatever its domain.
	[/taken|bereits vergeben/, ({ alias }) => alias !== undefined],
];

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;
	let host: FakeHost;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
		host = await FakeHost.inFrontOf(sandbox.baseUrl);
	});

	describe.each(Object.entries(kinds))('%s', (resource, kind) => {
		const { path, collection, spellings, form, fields = [], hidden = [], other, isSame, holds } = kind;
		const listPath = { url: '/urls', qr: '/qr' }[path] ?? `/${path}s`;
		let others = 0;

		const listed = async (): Promise<IDataObject[]> =>
			(await sandbox.client.allEntries(listPath, collection)) as IDataObject[];
		const remove = async (id: unknown): Promise<unknown> =>
			await sandbox.client.call('DELETE', `/${path}/${String(id)}/delete`);
		const identityOf = ({ which, spelling }: Item): string =>
			spellings[which]![spelling] ?? spellings[which]![0];

		/** Adds records that no item asks for. @returns their ids */
		const addOthers = async (): Promise<unknown[]> => {
			const bodies = Array.from({ length: OTHERS }, () => other((others += 1)));
			const added = bodies.map(async (body) => await sandbox.client.add(`/${path}/add`, body));
			return (await Promise.all(added)).map(({ id }) => id);
		};

		/** A service whose list moves and whose connections break. Notes in `twice` what it is told to create again. */
		const unreliable = ({ faults, moves }: Run, movable: unknown[], twice: IDataObject[]): Responder => {
			const [faultsLeft, movesLeft] = [[...faults], [...moves]];
			return async ({ method, url, body }, pass) => {
				if (method === 'GET') {
					const isLaterPage = !/page=1\b/.test(url);
					if (isLaterPage && movesLeft.shift() && movable.length > 0) await remove(movable.pop());
					const reply = await pass(asked(url));
					return { ...reply, body: answered(String(reply.body)) };
				}
				const fault = faultsLeft.shift();
				if (fault === 'lost request') return 'drop';
				const sent = JSON.parse(body) as IDataObject;
				const exists = method === 'POST' && (await listed()).some((record) => isSame(record, sent));
				if (exists) twice.push(sent);
				const reply = await pass();
				return fault === 'lost response' ? 'drop' : reply;
			};
		};

		/** Runs the node once. @returns the output of each item */
		const perform = async ({ items }: Run): Promise<IDataObject[]> => {
			const inputs = items.map((each) => ({ ...form(identityOf(each), each), ifExists: each.ifExists }));
			const expressions = Object.keys(inputs[0]!).map((name) => [name, `={{ $json.${name} }}`] as const);
			const node = {
				...{ resource, operation: 'create', qrType: 'link' },
				...Object.fromEntries(expressions.filter(([name]) => !fields.includes(name))),
				additionalFields: Object.fromEntries(expressions.filter(([name]) => fields.includes(name))),
			};
			return records(await runNode(engine, host, node, inputs, { onError: 'continueRegularOutput' }));
		};

		const check = async (runs: Run[]): Promise<void> => {
			/** For each record, the last successful item. Those that may have been changed since are left out. */
			const last = new Map<string, { item: Item; differs: string[] }>();
			const twice: IDataObject[] = [];
			for (const each of runs) {
				host.respond = unreliable(each, await addOthers(), twice);
				for (const [n, output] of (await perform(each)).entries()) {
					const item = each.items[n]!;
					if (!('error' in output)) {
						last.set(String(output.id), { item, differs: output.differs as string[] });
						continue;
					}
					const reasons = REASONS.filter(([words]) => words.test(String(output.error)));
					expect({ output, isExpected: reasons.map(([, isExpected]) => isExpected(item, each)) }).toEqual({
						output,
						isExpected: [true],
					});
					// By its alias, it may have changed any link.
					const isChanged = (known: Item): boolean => known.which === item.which || item.alias !== undefined;
					const isInDoubt = IN_DOUBT.test(String(output.error));
					for (const [id, known] of last) if (isInDoubt && isChanged(known.item)) last.delete(id);
				}
			}
			expect(twice).toEqual([]);
			const stored = await listed();
			for (const [id, { item, differs }] of last) {
				const record = stored.find((candidate) => String(candidate.id) === id)!;
				const isHeld = await holds(record, identityOf(item), item);
				const named = differs.filter((name) => !isHeld || !hidden.includes(name));
				expect({ item, record, isHeld: named.length === 0 }).toEqual({ item, record, isHeld });
				if (item.ifExists === 'update') expect(differs).toEqual([]);
			}
		};

		beforeAll(async () => {
			if (resource !== 'shortLink') return;
			for (const domain of ownDomains) await sandbox.client.add('/domain/add', { domain });
		});
		afterAll(async () => {
			for (const { id } of await sandbox.client.entries('/domains', 'domains')) {
				await sandbox.client.call('DELETE', `/domain/${String(id)}/delete`);
			}
		});

		it.each([
			['the same values', fc.constant('red')],
			['changing values', fc.constantFrom('red', 'blue')],
		])('%s', async (_, value) => {
			const property = fc.asyncProperty(
				fc.array(runOf(value), { minLength: 1, maxLength: 3 }),
				async (runs) => {
					try {
						await check(runs);
					} finally {
						for (const { id } of await listed()) await remove(id);
					}
				},
			);
			await fc.assert(property, { ...propertyOptions(RUNS), endOnFailure: true });
		});
	});
});
