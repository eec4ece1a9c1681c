/** API Request sends requests to any path of the service, and never to another host. */
import nock from 'nock';
import { chain } from '../../engine/index.ts';
import { credentialsFor, linkManager, records, runNode } from '../support/nodes/link-node';
import { items } from '../support/nodes/workflow';
import { engine } from '../support/nodes/suite-engine';

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());

const baseUrl = 'https://links.test/tools/links';
const send = async (apiPath: string, more: object = {}) =>
	await runNode(engine, { baseUrl }, { resource: 'apiRequest', operation: 'send', apiPath, ...more });

it.each([
	'https://evil.test/api/account',
	'//evil.test/api/account',
	'/\\evil.test/api/account',
	'\\\\evil.test/api/account',
	'HTTPS://evil.test',
	'javascript:alert(1)',
	'data:text/plain,x',
	'/../api/account',
	'/api/../../admin',
	'/api/%2e%2E/%2e%2e/admin',
	'/api/.%2e/x',
	'/api\\..\\x',
	'..',
	'/api/account#part',
	'/api/url/1\n2',
	'/api/.\t./account',
	'api/\u0000x',
	'http://',
])('rejects %s', async (apiPath) => {
	const result = await send(apiPath);
	expect(result.error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringMatching(
			/^Path .* (?:is not a path of the service|cannot be in an address) \[item 0\]$/s,
		) as string,
	});
});

it.each([
	['/api/plans', '/tools/links/api/plans'],
	['api/plans', '/tools/links/api/plans'],
	['/api/plans of mine/ü', '/tools/links/api/plans%20of%20mine/%C3%BC'],
	['@evil.test/api', '/tools/links/@evil.test/api'],
	['/api/https://evil.test/', '/tools/links/api/https://evil.test/'],
	[' /api/plans\n', '/tools/links/api/plans'],
	['/api/plans?filter={"id":1}', '/tools/links/api/plans?filter=%7B%22id%22%3A1%7D'],
])('requests %s from the service', async (apiPath, path) => {
	const service = nock('https://links.test').get(path).reply(200, { error: 0, plan: 'pro' });
	expect(records(await send(apiPath))).toEqual([{ error: 0, plan: 'pro' }]);
	expect(service.isDone()).toBe(true);
});

it('accepts a path from the list unless a placeholder is left', async () => {
	const listValue = (value: string) => ({ __rl: true, mode: 'list', value });
	const service = nock('https://links.test').get('/tools/links/api/account').reply(200, { error: 0 });
	expect(records(await send('', { apiPath: listValue('/api/account') }))).toEqual([{ error: 0 }]);
	expect(service.isDone()).toBe(true);
	const { error } = await send('', { apiPath: listValue('/api/url/{id}') });
	expect(error).toMatchObject({
		message: 'Path contains {id} instead of a value [item 0]',
		description: expect.stringContaining('Choose By Path and replace it') as string,
	});
});

it('sends the credential to no other host after a redirect', async () => {
	nock('https://links.test').get('/tools/links/api/plans').reply(302, '', { location: 'https://evil.test/' });
	const otherHost = nock('https://evil.test').get('/').reply(200, {});
	const { error } = await send('/api/plans');
	expect(error).toMatchObject({ message: 'The service redirects to another address: https://evil.test' });
	expect(otherHost.isDone()).toBe(false);
});

it('sends the query and body, and ends a list with repeating pages', async () => {
	const parameters = { entry: [{ name: 'sort', value: 'date' }] };
	let requested = 0;
	const plans = nock('https://links.test')
		.get(/plans/)
		.times(3)
		.query(
			({ sort, page, limit }) => sort === 'date' && limit === '1' && ['1', '2', '3'].includes(String(page)),
		)
		.reply(200, () => ({ data: { plans: [{ id: Math.min((requested += 1), 2) }] } }));
	const list = { apiResult: 'list', listField: 'data.plans', listPageParameter: 'page', listLimit: 50 };
	const result = await send('/api/plans?limit=1', { ...list, additionalFields: { apiQuery: parameters } });
	expect(records(result)).toEqual([{ id: 1 }, { id: 2 }]);
	expect(plans.isDone()).toBe(true);
});

it.each([[[]], [{}], [null]])('ends a list at a page whose data is %j', async (data) => {
	nock('https://links.test')
		.get(/plans/)
		.query({ page: 1 })
		.reply(200, { data: { plans: [{ id: 1 }] } });
	nock('https://links.test').get(/plans/).query({ page: 2 }).reply(200, { data });
	const list = { apiResult: 'list', listField: 'data.plans', listPageParameter: 'page', listLimit: 50 };
	expect(records(await send('/api/plans', list))).toEqual([{ id: 1 }]);
});

it('counts the entries of Limit with Raw Response, too', async () => {
	for (const page of [1, 2]) {
		nock('https://links.test')
			.get(/plans/)
			.query({ page })
			.reply(200, { plans: [{ id: page }, { id: -page }] });
	}
	const list = { apiResult: 'list', listField: 'plans', listPageParameter: 'page', listLimit: 3 };
	expect(records(await send('/api/plans', { ...list, options: { rawResponse: true } }))).toHaveLength(2);
});

it('sends the names of parameters without the blanks around them', async () => {
	for (const page of [1, 2]) {
		nock('https://links.test')
			.get(/plans/)
			.query({ page, sort: 'date' })
			.reply(200, { plans: [{ id: page }] });
	}
	const list = { apiResult: 'list', listField: 'plans ', listPageParameter: ' page ', listLimit: 2 };
	const apiQuery = { entry: [{ name: 'sort ', value: 'date' }] };
	expect(records(await send('/api/plans', { ...list, additionalFields: { apiQuery } }))).toEqual([
		{ id: 1 },
		{ id: 2 },
	]);
});

it('reads no list without a limit', async () => {
	const list = { apiResult: 'list', listField: 'plans', listLimit: '={{ $json.missing }}' };
	expect((await send('/api/plans', list)).error).toMatchObject({ message: 'Limit is empty [item 0]' });
});

it('keeps equal entries of one page', async () => {
	nock('https://links.test')
		.get('/tools/links/api/plans')
		.reply(200, { error: 0, plans: [{ id: 1 }, { id: 1 }, 'a', 'a'] });
	const result = await send('/api/plans', { apiResult: 'list', listField: 'plans', listLimit: 50 });
	expect(records(result)).toEqual([{ id: 1 }, { id: 1 }, { data: 'a' }, { data: 'a' }]);
});

it('reads a response that is itself the list', async () => {
	const service = nock('https://links.test').get('/tools/links/api/plans').times(2);
	service.reply(200, [{ id: 1 }, { id: 2 }]);
	const list = { apiResult: 'list', listField: '', listLimit: 50 };
	expect(records(await send('/api/plans', list))).toEqual([{ id: 1 }, { id: 2 }]);
	expect(records(await send('/api/plans'))).toEqual([{ data: [{ id: 1 }, { id: 2 }] }]);
});

it('sends all values of a name', async () => {
	const entry = ['2', '3'].map((value) => ({ name: 'feed_id', value }));
	const service = nock('https://links.test')
		.get('/tools/links/api/x?feed_id=1&feed_id=2&feed_id=3')
		.reply(200, {});
	await send('/api/x?feed_id=1', { additionalFields: { apiQuery: { entry } } });
	expect(service.isDone()).toBe(true);
});

it.each([
	['/api/export/100%', {}, '100%'],
	['/api/export/100%25', {}, '100%'],
	['/api/export/%e4', {}, '%e4'],
	['/api/export/a%2Fb%5Cc.csv', {}, 'c.csv'],
	['/api/export/', {}, 'response'],
	['/api/export/1', { 'content-disposition': 'attachment; filename="all/links.csv"' }, 'links.csv'],
	['/api/export/1', { 'content-disposition': 'attachment; filename="../links.csv"' }, 'links.csv'],
	[
		'/api/export/1',
		{ 'content-disposition': "attachment; filename*=UTF-8''%C3%BC.csv; filename=x" },
		'ü.csv',
	],
	['/api/export/1', { 'content-disposition': 'attachment; filename=..' }, '1'],
])('names the file of %s by %j: %s', async (apiPath, headers, fileName) => {
	nock('https://links.test')
		.get(/export/)
		.reply(200, 'a,b', headers);
	expect(records(await send(apiPath, { apiResult: 'file' }))).toEqual([{ fileName }]);
});

it('keeps a success with the members error and message a success', async () => {
	nock('https://links.test').get('/tools/links/api/x').reply(200, { error: '0', message: 'Fine' });
	const result = await send('/api/x');
	expect(records(result)).toEqual([{ error: '0', message: 'Fine', success: true }]);
});

it.each([[{ error: '0', message: 'Fine' }], [{ error: 0, id: 7 }]])(
	'does not send a request again with Retry On Fail if the response has %j',
	async (response) => {
		const service = nock('https://links.test').post('/tools/links/api/x').reply(200, response);
		const result = await engine.run({
			workflow: chain(items, {
				...linkManager({ resource: 'apiRequest', operation: 'send', apiPath: '/api/x', apiMethod: 'POST' }),
				...{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			}),
			credentials: credentialsFor({ baseUrl }),
		});
		const { error, ...others } = response;
		expect(records(result)).toEqual([{ ...others, serviceError: error }]);
		expect(service.isDone()).toBe(true);
	},
);

it.each([
	['data.plans', { data: 7 }],
	['data.plans', { data: { plans: 7 } }],
	['', { error: 0, data: { plans: [{ id: 1 }] } }, 'is blank, which'],
	['data', { error: 0, data: { page: 1, plans: [{ id: 1 }] } }],
])('fails if %j leads to no list: %j', async (listField, response, named = `"${listField}"`) => {
	nock('https://links.test').get('/tools/links/api/plans').reply(200, response);
	const { error } = await send('/api/plans', { apiResult: 'list', listField, listLimit: 50 });
	expect(error).toMatchObject({
		message: `List Field ${named} leads to no list in the response [item 0]`,
	});
});

it('names Result for a response that is not JSON', async () => {
	nock('https://links.test').get('/tools/links/api/feed').reply(200, '<?xml version="1.0"?><rss/>');
	const { error } = await send('/api/feed');
	expect(error).toMatchObject({
		message: 'The link management service responded with HTML or XML instead of JSON [item 0]',
		description: expect.stringMatching(/^If you expected it, set Result to File. Otherwise,/) as string,
	});
});

it('names the status, not JSON, if a file was asked for', async () => {
	nock('https://links.test').get('/tools/links/api/feed').reply(404, '<html>Not Found</html>');
	const { error } = await send('/api/feed', { apiResult: 'file' });
	expect(error).toMatchObject({
		message: 'The link management service responded with status 404 [item 0]',
		description: 'Check the Path, and whether a proxy or a login page answers.',
	});
});

it('reads an object of records by ID as a list', async () => {
	nock('https://links.test')
		.get('/tools/links/api/plans')
		.reply(200, { plans: { 7: { id: 7 }, 9: { id: 9 } } });
	const result = await send('/api/plans', { apiResult: 'list', listField: 'plans', listLimit: 50 });
	expect(records(result)).toEqual([{ id: 7 }, { id: 9 }]);
});

it('returns nothing if the response has [] where it should have the object with the list', async () => {
	nock('https://links.test').get('/tools/links/api/plans').reply(200, { error: 0, data: [] });
	const result = await send('/api/plans', { apiResult: 'list', listField: 'data.plans', listLimit: 50 });
	expect(records(result)).toEqual([]);
});
