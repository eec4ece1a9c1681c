import fc from 'fast-check';
import { table } from '../../nodes/LinkManager/resources';
import { linkManager } from '../../nodes/LinkManager/service';
import { river } from '../../nodes/NewsReader/resources/river';
import { ServiceApi } from '../../nodes/runtime/transport/api';
import { Client } from '../../nodes/runtime/transport/client';
import { requestOf } from '../../nodes/runtime/transport/request';
import { operation } from '../../nodes/runtime/table/operation';
import { record } from '../../nodes/runtime/table/record';
import { text } from '../../nodes/runtime/fields/kinds';
import { propertyOptions } from '../support/cases/random';
import { clientOf, contextOf, credential } from '../support/hosts/service-context';

const output = { schema: record({}), select: () => ({}) };
const parts = { path: {}, query: {}, body: {} };
const row = operation('POST /api/{kind}/of/{id}/update', {
	name: 'Update',
	action: 'Update a thing',
	description: 'Change it',
	path: { kind: text('Kind'), id: text('ID') },
	body: { name: text('Name') },
	output,
});

const dots = ['.', '..'];
const segment = fc.oneof(
	fc.string({ minLength: 1 }),
	fc.constantFrom('/', '../..', '%2e%2e', 'a/../b', '?', '#', ' ', '...'),
);

it('keeps any value of a path parameter inside its segment', () => {
	fc.assert(
		fc.property(segment, segment, (kind, id) => {
			fc.pre(!dots.includes(kind) && !dots.includes(id));
			const { path } = requestOf(row, { ...parts, path: { kind, id } });
			const { pathname, search, hash } = new URL(path, 'https://links.test');
			const segments = pathname.split('/');
			expect(segments).toHaveLength(6);
			expect([segments[2], segments[4]].map((part) => decodeURIComponent(part!))).toEqual([kind, id]);
			expect([search, hash]).toEqual(['', '']);
		}),
		propertyOptions(100),
	);
});

it.each(dots)('rejects %j in the path, because it changes the path in every encoding', (id) => {
	expect(() => requestOf(row, { ...parts, path: { kind: 'a', id } })).toThrow(
		`"${id}" can't be part of a request path`,
	);
});

it('sends an empty body if all body fields are blank', () => {
	expect(requestOf(row, { ...parts, path: { kind: 'a', id: 1 } })).toMatchObject({
		method: 'POST',
		path: '/api/a/of/1/update',
		body: {},
	});
});

it.each([
	['GET', table.account.operations.get!],
	['DELETE', table.campaign.operations.delete!],
])('sends no body with a %s without body fields', (_, bare) => {
	expect(requestOf(bare, { ...parts, path: { id: 1 } })).not.toHaveProperty('body');
});

it('sends what belongs together with one credential, though somebody changes it meanwhile', async () => {
	const { context, sent } = contextOf(() => ({}));
	const bases = ['https://links.test', 'https://other.test'];
	jest
		.spyOn(context, 'getCredentials')
		.mockImplementation(async () => ({ ...credential, baseUrl: bases.shift() }) as never);
	const client = new Client(context, linkManager, { maxWaitMs: 0 });
	const api = new ServiceApi(client, { advice: '', hint: () => undefined });
	for (const path of ['/api/account', '/api/urls']) await api.send({ method: 'GET', path });
	expect(sent.map(({ url }) => url.host)).toEqual(['links.test', 'links.test']);
	expect(await api.owner()).toMatchObject({ host: 'links.test' });
});

it('requests a river with a form if its URL would be too long, and treats it as a read', () => {
	const of = (count: number) => {
		const query = { feeds: Array.from({ length: count }, (_, n) => 1_000_000 + n), page: 1 };
		const {
			labels: _labels,
			action: _action,
			...request
		} = requestOf(river.operations.getAll, { ...parts, query });
		return { query, request };
	};
	const short = of(285);
	expect(short.request).toEqual({ method: 'GET', path: '/reader/river_stories', query: short.query });
	// With one more feed, the query exceeds 4,000 characters.
	const long = of(286);
	expect(long.request).toEqual({
		method: 'POST',
		path: '/reader/river_stories',
		body: long.query,
		safe: true,
	});
});

it.each([
	[0, 'Nothing there [item 0]'],
	[2, 'Nothing there [item 2]'],
	[undefined, 'Nothing there'],
])('names the item %s in an error for invalid input', (item, message) => {
	const { client } = clientOf(() => ({}));
	const api = new ServiceApi(client, { item, advice: '', hint: () => undefined });
	expect(api.inputError('Nothing there', '')).toMatchObject({ message, context: { itemIndex: item } });
});
