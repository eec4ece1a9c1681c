/** Parameters of the Link Manager that combine several fields, and invalid values. */
import nock from 'nock';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { chain } from '../../engine/index.ts';
import { createFakeService, type ReceivedRequest, type FakeService } from '../support/hosts/exchanges';
import { byId, credentialsFor, KEY, linkManager, NODE, records, runNode } from '../support/nodes/link-node';
import { parametersFrom } from '../support/cases/link-samples';
import { engine } from '../support/nodes/suite-engine';

beforeAll(() => nock.disableNetConnect());

afterEach(() => nock.cleanAll());

const pair = { name: 'a', value: 'b' };
const confirmation = { error: 0, id: 1, message: 'Done.' };

/** A service that confirms one request, or responds otherwise. */
const confirmingService = (
	method: string,
	path: string,
	body?: object,
	response: object = confirmation,
): FakeService =>
	createFakeService([
		{
			request: {
				method,
				path,
				query: {},
				body,
				authorization: `Bearer ${KEY}`,
				contentType: 'application/json',
			},
			response,
		},
	]);

/** Runs one operation and expects exactly one request. */
async function expectBody(
	parameters: IDataObject,
	input: object,
	body: object,
	[method, path] = ['POST', '/api/url/add'],
): Promise<void> {
	const service = confirmingService(method!, path!, body);
	const result = await runNode(engine, service, parameters, [input]);
	expect(service.requests.map((requested: ReceivedRequest) => requested.body)).toEqual([body]);
	expect(records(result)).toHaveLength(1);
}

describe('the forms of QR codes', () => {
	const types: Array<[type: string, form: Record<string, unknown>, data: unknown]> = [
		['text', { qrText: 'Table 12' }, 'Table 12'],
		['link', { qrLink: 'https://example.com/menu' }, 'https://example.com/menu'],
		['phone', { qrPhone: '+15550100' }, '+15550100'],
		[
			'email',
			{ emailEmail: 'me@example.com', emailSubject: 'Hello', emailBody: 'Two\nlines' },
			{ email: 'me@example.com', subject: 'Hello', body: 'Two\nlines' },
		],
		[
			'email',
			{ emailEmail: 'me@example.com', emailSubject: '', emailBody: null },
			{ email: 'me@example.com' },
		],
		[
			'sms',
			{ smsPhone: '+15550100', smsMessage: 'Count me in' },
			{ phone: '+15550100', message: 'Count me in' },
		],
		[
			'wifi',
			{ wifiSsid: 'Guests', wifiEncryption: 'wep', wifiPass: 'come in' },
			{ ssid: 'Guests', encryption: 'wep', pass: 'come in' },
		],
		[
			'vcard',
			{
				vcardFname: 'Ada',
				vcardLname: 'Example',
				vcardPhone: '+15550100',
				vcardEmail: 'ada@example.com',
				vcardSite: 'https://example.com',
			},
			{
				fname: 'Ada',
				lname: 'Example',
				phone: '+15550100',
				email: 'ada@example.com',
				site: 'https://example.com',
			},
		],
	];

	it.each(types)('%s: %j', async (type, form, data) => {
		const create = { resource: 'qrCode', operation: 'create' };
		const update = { resource: 'qrCode', operation: 'update' };
		const fields = parametersFrom(engine.nodeType(NODE).description, create, Object.keys(form));
		const common = { ...fields, qrType: type, dataSource: 'fields' };
		await expectBody({ ...common, ...create }, { form }, { type, data }, ['POST', '/api/qr/add']);
		await expectBody({ ...common, ...update, qrCodeId: byId(7) }, { form }, { type, data }, [
			'PUT',
			'/api/qr/7/update',
		]);
	});
});

it('accepts any spelling of the item type from an expression', async () => {
	const id = byId(5);
	const item = { linkId: id, bioPageId: id, qrCodeId: id };
	const assign = { resource: 'channel', operation: 'assignItem', channelId: byId(1), ...item };
	const parameters = { ...assign, itemType: '={{ $json.type }}' };
	const service = confirmingService('POST', '/api/channel/1/assign/qr/5');
	const result = await runNode(engine, service, parameters, [{ type: ' QR ' }]);
	expect(records(result)).toMatchObject([{ channelId: 1, type: 'qr', itemId: 5 }]);
	expect(service.requests).toHaveLength(1);
});

describe('the form of short links', () => {
	const create = (additionalFields: IDataObject): IDataObject => ({
		resource: 'shortLink',
		operation: 'create',
		url: 'https://example.com/a',
		additionalFields,
	});

	it('sends dates of any format in the host’s time zone', async () => {
		for (const expiry of [
			"={{ DateTime.fromISO('2031-01-02T03:04:05Z') }}",
			"={{ DateTime.fromISO('2031-01-02T03:04:05Z').toISO() }}",
			'={{ $json.expiry }}',
			'2031-01-02T04:04:05+01:00',
		]) {
			const body = { url: 'https://example.com/a', expiry: '2031-01-02 12:04:05' };
			const host = { ...confirmingService('POST', '/api/url/add', body), timeZone: 'Asia/Tokyo' };
			await runNode(engine, host, create({ expiry }), [{ expiry: '2031-01-02 03:04:05Z' }]);
			expect(host.requests).toMatchObject([{ body }]);
		}
	});

	it('gives unlisted fields precedence over listed ones', async () => {
		await expectBody(
			create({ description: 'a', otherFields: '{ "description": "b", "new": [1] }' }),
			{},
			{
				url: 'https://example.com/a',
				description: 'b',
				new: [1],
			},
		);
	});

	it('sends the parameters of the form, of UTM fields and of unlisted fields together', async () => {
		const parameters = { entry: [{ name: 'ref', value: 'a' }] };
		const otherFields = '{ "parameters": [{ "name": "page", "value": "2" }] }';
		await expectBody(
			create({ parameters, utmTerm: 'shoes', utmSource: 'letter', otherFields }),
			{},
			{
				url: 'https://example.com/a',
				parameters: [
					{ name: 'ref', value: 'a' },
					{ name: 'utm_source', value: 'letter' },
					{ name: 'utm_term', value: 'shoes' },
					{ name: 'page', value: '2' },
				],
			},
		);
	});

	it('sends an empty list of parameters, which removes those of the link', async () => {
		const otherFields = '{ "parameters": [] }';
		await expectBody(create({ otherFields }), {}, { url: 'https://example.com/a', parameters: [] });
	});

	it('says of each list that Update replaces it as a whole', () => {
		const { properties } = engine.nodeType(NODE).description;
		const replacing = properties
			.filter(({ name }) => name === 'updateFields')
			.flatMap(({ options = [] }) => options as INodeProperties[])
			.filter(({ description }) => description?.includes('; replaces all '))
			.map(({ displayName }) => displayName);
		expect(replacing.sort()).toEqual([
			'Parameters',
			'Targeting by Country',
			'Targeting by Device',
			'Targeting by Language',
			'UTM Campaign',
			'UTM Content',
			'UTM Medium',
			'UTM Source',
			'UTM Term',
		]);
	});

	it('omits a parameter without a value', async () => {
		const parameters = { entry: [{ name: 'ref', value: '={{ $json.ref }}' }] };
		const body = { url: 'https://example.com/a' };
		await expectBody(create({ parameters }), { ref: '' }, body);
		await expectBody(
			create({ parameters }),
			{ ref: 7 },
			{ ...body, parameters: [{ name: 'ref', value: '7' }] },
		);
	});

	it('rejects a target without a country, and names the entry', async () => {
		const service = createFakeService([]);
		const entry = [
			{ location: 'Canada', link: 'https://example.com/ca' },
			{ location: 'France', link: '={{ $json.french }}' },
		];
		const result = await runNode(engine, service, create({ geotarget: { entry } }), [{ french: '' }]);
		expect(result.error).toMatchObject({ message: 'Targeting by Country 2, Target URL is empty [item 0]' });
		expect(service.requests).toEqual([]);
	});

	const targetingEntry = (more: IDataObject) => ({ entry: [{ link: 'https://example.com/x', ...more }] });

	it.each([
		['geotarget', 'location', 'germany', 'Germany'],
		['geotarget', 'location', 'DE', 'Germany'],
		['geotarget', 'location', 'Hong Kong SAR China', 'Hong Kong'],
		['geotarget', 'location', 'Turkey', 'Turkey'],
		['languagetarget', 'language', 'French', 'fr'],
		['languagetarget', 'language', 'PT', 'pt'],
		['languagetarget', 'language', 'Filipino', 'tl'],
		['languagetarget', 'language', 'Bengali', 'bn'],
		['languagetarget', 'language', 'tw', 'tw'],
		['languagetarget', 'language', 'Akan', 'ak'],
		['devicetarget', 'device', ' Smart Fridge ', 'Smart Fridge'],
	])('accepts %s as %s: %s', async (field, name, input, sent) => {
		const body = { url: 'https://example.com/a', [field]: targetingEntry({ [name]: sent }).entry };
		await expectBody(
			create({ [field]: targetingEntry({ [name]: '={{ $json.written }}' }) }),
			{ written: input },
			body,
		);
		const listValue = { __rl: true, mode: 'list', value: sent };
		await expectBody(create({ [field]: targetingEntry({ [name]: listValue }) }), {}, body);
	});

	it.each([
		['geotarget', 'location', 'Germny', 'Targeting by Country 1, Country "Germny" is not a country name'],
		[
			'languagetarget',
			'language',
			'fr-CA',
			'Targeting by Language 1, Language "fr-CA" is not a language code',
		],
	])('rejects values in %s that hosts ignore', async (field, name, input, reason) => {
		const parameters = create({ [field]: targetingEntry({ [name]: input }) });
		const service = createFakeService([]);
		const result = await runNode(engine, service, parameters);
		expect(result.error).toMatchObject({ message: `${reason} [item 0]` });
		expect(service.requests).toEqual([]);
	});

	it('rejects two redirect types before any request', async () => {
		const service = createFakeService([]);
		const result = await runNode(engine, service, create({ overlayId: byId(5), splashId: byId(3) }));
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			message: 'Redirect Through Custom Splash cannot be set beside Redirect Through CTA Overlay [item 0]',
		});
		expect(service.requests).toEqual([]);
	});

	it.each([
		[{ splashId: byId(3) }, '3', 'Redirect Through Custom Splash'],
		[{ splashId: byId(0) }, '0', 'Redirect Through Custom Splash'],
		[{ overlayId: byId(0) }, 'overlay-0', 'Redirect Through CTA Overlay'],
		[{ overlayId: byId(5) }, 'overlay-5', 'Redirect Through CTA Overlay'],
		[{ redirectType: 'frame' }, 'frame', 'Redirect Type'],
	])('names the field of a refused redirect: %j', async (fields, type, label) => {
		const body = { url: 'https://example.com/a', type };
		const refusal = { error: 1, message: 'No such type' };
		const service = confirmingService('POST', '/api/url/add', body, refusal);
		const result = await runNode(engine, service, create(fields));
		expect(result.error).toMatchObject({
			description: expect.stringContaining(`Check Target URL and ${label}.`) as string,
		});
	});

	it.each([
		[{ utmSource: 'x' }, { parameters: [{ name: 'utm_source', value: 'x' }] }, 'UTM fields'],
		[{ parameters: { entry: [pair] } }, { parameters: [pair] }, 'Parameters'],
		[
			{ parameters: { entry: [pair] }, utmTerm: 'x', otherFields: { parameters: [{}] } },
			{ parameters: [pair, { name: 'utm_term', value: 'x' }, {}] },
			'Parameters and UTM fields and Other Fields (JSON)',
		],
		[{ otherFields: { expiry: 'x' } }, { expiry: 'x' }, 'Other Fields (JSON)'],
		[{ otherFields: { fallback: 'x' } }, { fallback: 'x' }, 'Other Fields (JSON)'],
	])('names the field of the form that has what was refused: %j', async (fields, sent, label) => {
		const body = { url: 'https://example.com/a', ...sent };
		const refusal = { error: 1, message: `The field ${Object.keys(sent)[0]!} is wrong` };
		const service = confirmingService('POST', '/api/url/add', body, refusal);
		const result = await runNode(engine, service, create(fields));
		expect(result.error).toMatchObject({
			message: expect.stringContaining(`because of ${label}. It says`) as string,
			description: expect.stringContaining(`Check ${label}.`) as string,
		});
	});

	it('returns the campaign that Other Fields set, because it was sent', async () => {
		const body = { url: 'https://example.com/a', campaign: 9 };
		const service = confirmingService('POST', '/api/url/add', body);
		const chosen = { __rl: true, mode: 'list', value: 7, cachedResultName: 'Spring' };
		const fields = { campaignId: chosen, otherFields: '{ "campaign": 9 }' };
		expect(records(await runNode(engine, service, create(fields)))).toMatchObject([{ campaign: { id: 9 } }]);
	});

	it.each([
		['expiry', 'tomorrow', 'Expiry "tomorrow" is not a date [item 0]'],
		['otherFields', '[1]', 'Other Fields (JSON) is not an object [item 0]'],
	])('rejects a %s of %s', async (name, value, message) => {
		const service = createFakeService([]);
		const result = await runNode(engine, service, create({ [name]: '={{ $json.value }}' }), [{ value }]);
		expect(result.error).toMatchObject({ name: 'NodeOperationError', message, context: { itemIndex: 0 } });
		expect(service.requests).toEqual([]);
	});
});

it('reports the advice and the progress in separate sentences', async () => {
	const parameters = { resource: 'shortLink', operation: 'create', url: '={{ $json.url }}' };
	const result = await runNode(engine, createFakeService([]), parameters, [{ url: '' }, { url: '' }]);
	expect(result.error).toMatchObject({
		description: 'Enter a value. Nothing was done for items 0 to 1.',
	});
});

it('includes the advice in the message to a model, because n8n omits it', async () => {
	const parameters = { resource: 'shortLink', operation: 'getAll', options: { order: 'newest' } };
	const message = 'Order By "newest" is not one of the options [item 0]';
	const tool = linkManager(parameters, { type: `${NODE}Tool`, rewireOutputLogTo: 'ai_tool' });
	const credentials = credentialsFor({ baseUrl: 'https://links.example.com' });
	const asTool = await engine.run({ workflow: chain(tool), input: [{}], credentials });
	const [reported] = asTool.runData['Link Manager']![0]!.data!.ai_tool![0]!;
	expect(reported!.json).toEqual({ error: `${message}\nUse one of: click, date.` });
	const asNode = await runNode(engine, { baseUrl: 'https://links.example.com' }, parameters);
	expect(asNode.error).toMatchObject({ message, description: 'Use one of: click, date.' });
});

describe('a refusal names only fields that the user filled in', () => {
	it.each([
		[
			{
				...{ resource: 'qrCode', operation: 'create' },
				...{ qrType: 'phone', dataSource: 'fields', qrPhone: 'x', additionalFields: {} },
			},
			'The field data is no phone number',
			'Check the data of the code.',
		],
		[
			{
				...{ resource: 'channel', operation: 'assignItem' },
				...{ channelId: byId(1), itemType: 'qr', qrCodeId: byId(2) },
			},
			'No such code',
			'Check Channel, Item Type and the item.',
		],
	])('%j', async (parameters, message, description) => {
		nock('https://links.test').post(/.*/).reply(400, { error: 1, message });
		const { error } = await runNode(engine, { baseUrl: 'https://links.test' }, parameters);
		expect(error).toMatchObject({ description });
	});
});
