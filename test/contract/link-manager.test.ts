/** Every operation of the Link Manager in the sandbox, in the variants of the interface document and of real hosts. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine, RunResult } from '../../engine/index.ts';
import { linkTable } from '../../nodes/tables';
import { byId, from, records, runNode, startEngine } from '../support/nodes/link-node';
import { DeclaredOutputs } from '../support/cases/declared';
import { variants } from '../../cases/endpoint.ts';
import { pixelTypes, qrTypes } from '../../cases/links.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';

let engine: Engine;
/** The outputs in both variants. */
const outputs = new DeclaredOutputs(linkTable);

beforeAll(async () => {
	engine = await startEngine();
});

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
	});
	afterAll(() => sandbox.stop());

	/** Runs an operation for each input. */
	async function run(name: string, parameters: object, inputs: object[] = [{}]): Promise<RunResult> {
		const [resource, operation] = name.split('.');
		const result = await runNode(engine, sandbox, { resource, operation, ...parameters }, inputs);
		if (!result.error) outputs.add(name, parameters, records(result));
		return result;
	}

	/** Runs an operation that returns one record. */
	async function runOne(name: string, parameters: object): Promise<IDataObject> {
		const [record, ...others] = records(await run(name, parameters));
		expect(others).toEqual([]);
		return record!;
	}

	/** All records of a list, sorted by id because the interface document specifies no order. */
	const runAll = async (name: string, parameters: object = {}): Promise<IDataObject[]> =>
		records(await run(name, { returnAll: true, ...parameters })).sort((a, b) => Number(a.id) - Number(b.id));

	const fromItem = (name: string) => `={{ $json.${name} }}`;
	const idFromItem = byId('={{ $json.id }}');
	const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/) as string;
	const text = expect.any(String) as string;
	const id = expect.any(Number) as number;
	const isNew = { existed: false, differs: [] };
	const noClicks = {
		clicks: 0,
		uniqueClicks: 0,
		topCountries: {},
		topReferrers: {},
		topBrowsers: {},
		topOs: {},
		socialCount: { facebook: 0, twitter: 0, instagram: 0 },
	};

	it('account', async () => {
		expect(await runOne('account.get', {})).toEqual({
			id: 1,
			email: 'sandbox@example.com',
			username: 'sandbox',
			avatar: text,
			status: 'pro',
			expires: '2099-12-31T23:59:59.000Z',
			registered: timestamp,
		});
		const updateFields = { email: 'new@example.com', password: 'open sesame' };
		expect(await runOne('account.update', { updateFields })).toEqual({
			message: 'Account has been successfully updated.',
		});
		expect(await runOne('account.get', {})).toMatchObject({ email: 'new@example.com' });
	});

	it('domains', async () => {
		const created = await run(
			'domain.create',
			{ domain: fromItem('domain'), additionalFields: { redirectroot: fromItem('root') } },
			[
				{ domain: 'https://go.example.com', root: 'https://example.com' },
				{ domain: 'http://see.example.com', root: '' },
				{ domain: 'https://read.example.com/', root: '' },
			],
		);
		const sent = [
			{ domain: 'https://go.example.com', redirectRoot: 'https://example.com', redirect404: null },
			{ domain: 'http://see.example.com', redirectRoot: null, redirect404: null },
			{ domain: 'https://read.example.com/', redirectRoot: null, redirect404: null },
		];
		expect(created.json('After')).toEqual(sent.map((record, n) => from({ id, ...record, ...isNew }, n)));
		const ids = records(created).map((record) => record.id);
		const listed = await runAll('domain.getAll');
		expect(listed).toEqual([
			{ id: ids[0], domain: 'https://go.example.com', redirectRoot: 'https://example.com', redirect404: '' },
			{ id: ids[1], domain: 'http://see.example.com', redirectRoot: '', redirect404: '' },
			{ id: ids[2], domain: 'https://read.example.com', redirectRoot: '', redirect404: '' },
		]);
		const updateFields = { redirect404: 'https://example.com/404' };
		expect(await runOne('domain.update', { domainId: byId(ids[1]), updateFields })).toEqual({
			id: ids[1],
			domain: null,
			redirectRoot: null,
			...updateFields,
			message: 'Domain has been updated successfully.',
		});
		expect(await runAll('domain.getAll')).toMatchObject([{}, { redirect404: 'https://example.com/404' }, {}]);
		const removed = await run('domain.delete', { domainId: idFromItem }, [{ id: ids[0] }, { id: ids[2] }]);
		expect(removed.json('After')).toEqual([
			from({ deleted: true, id: ids[0] }, 0),
			from({ deleted: true, id: ids[2] }, 1),
		]);
		expect(
			(await sandbox.client.entries('/domains?limit=100', 'domains')).map(({ domain }) => domain),
		).toEqual(['http://see.example.com']);
	});

	it('records that can only be listed', async () => {
		const overlays = await runAll('ctaOverlay.getAll');
		expect(overlays).toHaveLength(3);
		expect(overlays[0]).toEqual({ id: 1, type: 'message', name: 'Read our newsletter', date: timestamp });
		const splash = await runAll('customSplash.getAll');
		expect(splash).toEqual([
			{ id: 1, name: 'Welcome', date: timestamp },
			{ id: 2, name: 'Partner', date: timestamp },
		]);
		expect(records(await run('ctaOverlay.getAll', { limit: 2 }))).toHaveLength(2);
	});

	it('campaigns, channels and pixels', async () => {
		const campaigns = await run(
			'campaign.create',
			{ name: fromItem('name'), additionalFields: { slug: fromItem('slug'), public: fromItem('public') } },
			[
				{ name: 'Spring', slug: `spring-${variant}`, public: true },
				{ name: 'Summer', slug: '', public: 'false' },
			],
		);
		expect(records(campaigns)).toEqual([
			{
				id,
				name: 'Spring',
				public: true,
				rotator: `${sandbox.baseUrl}/r/spring-${variant}`,
				list: expect.stringContaining('/u/sandbox/') as string,
				...isNew,
			},
			{ id, name: 'Summer', public: false, rotator: null, list: text, ...isNew },
		]);
		const known = (records: IDataObject[]) => records.map(({ existed, differs, ...record }) => record);
		expect(await runAll('campaign.getAll')).toEqual(known(records(campaigns)));
		const [spring, summer] = records(campaigns).map((record) => record.id);
		const renamed = await runOne('campaign.update', {
			campaignId: byId(summer),
			name: 'Autumn',
			updateFields: { public: true },
		});
		expect(renamed).toMatchObject({ id: summer, name: 'Autumn', public: true, rotator: null });

		const channels = await run(
			'channel.create',
			{ name: fromItem('name'), additionalFields: { color: fromItem('color'), starred: true } },
			[
				{ name: 'Letter', color: '#1A2B3C' },
				{ name: 'Front Page', color: '' },
			],
		);
		expect(records(channels)).toEqual([
			{ id, name: 'Letter', description: '', color: '#1a2b3c', starred: true, ...isNew },
			{ id, name: 'Front Page', description: '', color: '#000000', starred: true, ...isNew },
		]);
		const [letter, front] = records(channels).map((record) => record.id);
		const updateFields = { description: 'Weekly', starred: false };
		expect(await runOne('channel.update', { channelId: byId(letter), updateFields })).toMatchObject({
			id: letter,
		});
		expect(await runAll('channel.getAll')).toEqual([
			{ id: letter, name: 'Letter', description: 'Weekly', color: '#1a2b3c', starred: false },
			known(records(channels))[1],
		]);

		const pixels = await run(
			'pixel.create',
			{ pixelType: fromItem('type'), name: fromItem('type'), tag: 'T-1' },
			pixelTypes.map((type) => ({ type })),
		);
		expect(records(pixels)).toEqual(
			pixelTypes.map((type) => ({ id, type, name: type, tag: 'T-1', date: timestamp, ...isNew })),
		);
		const listed = await runAll('pixel.getAll');
		expect(listed).toEqual(
			pixelTypes.map((type, n) => ({
				id: records(pixels)[n]!.id,
				type,
				name: type,
				tag: 'T-1',
				date: timestamp,
			})),
		);
		const pixel = listed[0]!.id;
		await runOne('pixel.update', { pixelId: byId(pixel), tag: 'T-2', updateFields: { name: 'Shop' } });
		expect((await runAll('pixel.getAll'))[0]).toMatchObject({ id: pixel, tag: 'T-2', name: 'Shop' });
		expect(await runOne('pixel.delete', { pixelId: byId(pixel) })).toEqual({ deleted: true, id: pixel });
		expect(await runAll('pixel.getAll')).toHaveLength(pixelTypes.length - 1);

		expect(await runOne('campaign.delete', { campaignId: byId(spring) })).toEqual({
			deleted: true,
			id: spring,
		});
		expect(await runOne('channel.delete', { channelId: byId(front) })).toEqual({ deleted: true, id: front });
		expect((await runAll('campaign.getAll')).map(({ name }) => name)).toEqual(['Autumn']);
		expect((await runAll('channel.getAll')).map(({ name }) => name)).toEqual(['Letter']);
	});

	it('short links, in a campaign and a channel', async () => {
		const names = ['alias', 'shortUrl', 'longUrl', 'title', 'description', 'clicks', 'uniqueClicks', 'date'];
		const incompleteStatistics = Object.fromEntries(
			[...names, 'domain', 'campaign', 'channel'].map((name) => [name, null]),
		);
		const campaign = await runOne('campaign.create', { name: 'Articles' });
		const channel = await runOne('channel.create', { name: 'Articles' });
		const created = await run(
			'shortLink.create',
			{
				url: '={{ "https://example.com/" + $json.n }}',
				additionalFields: {
					campaignId: byId(campaign.id),
					custom: '={{ "article-" + $json.n }}',
					utmSource: 'letter',
					metatitle: '={{ "Article " + $json.n }}',
					geotarget: { entry: [{ location: 'Canada', link: '={{ "https://example.ca/" + $json.n }}' }] },
					expiry: '2090-01-02T03:04:05',
				},
			},
			[1, 2, 3].map((n) => ({ n })),
		);
		expect(created.json('After')).toEqual(
			[1, 2, 3].map((n) =>
				from(
					{
						...incompleteStatistics,
						id,
						alias: `article-${n}`,
						shortUrl: `${sandbox.baseUrl}/s/article-${n}`,
						longUrl: `https://example.com/${n}`,
						title: `Article ${n}`,
						clicks: 0,
						uniqueClicks: 0,
						domain: new URL(sandbox.baseUrl).origin,
						channel: [],
						date: timestamp,
						campaign: { id: campaign.id, name: null },
						...isNew,
					},
					n - 1,
				),
			),
		);
		const ids = records(created).map((record) => record.id);
		const visited = await fetch(`${sandbox.baseUrl}/s/article-2`, { redirect: 'manual' });
		expect(visited.headers.get('location')).toBe('https://example.com/2?utm_source=letter');

		const link = await runOne('shortLink.get', { linkId: byId(ids[1]) });
		expect(link).toMatchObject({
			id: ids[1],
			alias: 'article-2',
			longUrl: 'https://example.com/2',
			title: 'Article 2',
			clicks: 1,
			statistics: { clicks: 1, uniqueClicks: 1 },
		});
		const byClicks = records(await run('shortLink.getAll', { limit: 1, options: { order: 'click' } }));
		expect(byClicks).toMatchObject([{ id: ids[1], clicks: 1 }]);
		const shortUrl = `${sandbox.baseUrl}/s/article-3`;
		expect(await runAll('shortLink.getAll', { filters: { short: shortUrl } })).toMatchObject([
			{ id: ids[2], shortUrl },
		]);

		const updateFields = { custom: 'renamed', url: 'https://example.com/renamed' };
		expect(await runOne('shortLink.update', { linkId: byId(ids[0]), updateFields })).toEqual({
			...incompleteStatistics,
			id: ids[0],
			alias: 'renamed',
			longUrl: 'https://example.com/renamed',
			shortUrl: `${sandbox.baseUrl}/s/renamed`,
			domain: new URL(sandbox.baseUrl).origin,
		});
		expect(await runOne('shortLink.get', { linkId: byId(ids[0]) })).toMatchObject({
			alias: 'renamed',
			longUrl: 'https://example.com/renamed',
		});

		const other = await runOne('campaign.create', { name: 'Other' });
		expect(await runOne('campaign.assignLink', { campaignId: byId(other.id), linkId: byId(ids[0]) })).toEqual(
			{
				campaignId: other.id,
				linkId: ids[0],
				message: 'Link successfully added to the campaign.',
			},
		);

		const code = await runOne('qrCode.create', { qrType: 'link', qrLink: 'https://example.com' });
		const assigned = await run(
			'channel.assignItem',
			{
				channelId: byId(channel.id),
				itemType: fromItem('type'),
				linkId: idFromItem,
				bioPageId: idFromItem,
				qrCodeId: idFromItem,
			},
			[
				{ type: 'links', id: ids[2] },
				{ type: 'bio', id: 1 },
				{ type: 'qr', id: code.id },
			],
		);
		expect(records(assigned)).toMatchObject([
			{ channelId: channel.id, type: 'links', itemId: ids[2] },
			{ channelId: channel.id, type: 'bio', itemId: 1 },
			{ channelId: channel.id, type: 'qr', itemId: code.id },
		]);
		const { channel: isIn } = await runOne('shortLink.get', { linkId: byId(ids[2]) });
		expect(isIn).toEqual(variant === 'wild' ? [{ id: channel.id, name: 'Articles' }] : null);
		const inChannel = await runAll('channel.getItems', { channelId: byId(channel.id) });
		expect(inChannel.map(({ type, id }) => [type, id]).sort()).toEqual([
			['bio', 1],
			['links', ids[2]],
			['qr', code.id],
		]);
		expect(inChannel[0]!.date).toMatch(/^\d{4}-\d\d-\d\d$/);

		expect(await runOne('shortLink.delete', { linkId: byId(ids[2]) })).toEqual({ deleted: true, id: ids[2] });
		const remaining = (await sandbox.client.entries('/urls?limit=100', 'urls')).map((record) =>
			Number(record.id),
		);
		expect(remaining.sort()).toEqual([ids[0], ids[1]].sort());
		expect(await runAll('channel.getItems', { channelId: byId(channel.id) })).toHaveLength(2);

		const chosen = (of: IDataObject) => ({
			__rl: true,
			mode: 'list',
			value: of.id,
			cachedResultName: of.name,
		});
		const additionalFields = { campaignId: chosen(other), channelId: chosen(channel) };
		expect(
			await runOne('shortLink.create', { url: 'https://example.com/chosen', additionalFields }),
		).toMatchObject({
			alias: expect.stringMatching(/^\w+$/) as string,
			campaign: { id: other.id, name: 'Other' },
			channel: [{ id: channel.id, name: 'Articles' }],
		});
	});

	it('QR codes of every type, with their scans', async () => {
		const before = (await runAll('qrCode.getAll')).length;
		const data: Record<(typeof qrTypes)[number], unknown> = {
			text: 'Table 12',
			vcard: { fname: 'Ada', email: 'ada@example.com' },
			link: 'https://example.com/menu',
			email: { email: 'me@example.com', subject: 'Hello' },
			phone: '+15550100',
			sms: { phone: '+15550100', message: 'Count me in' },
			wifi: { ssid: 'Guests', encryption: 'wpa', pass: 'come in' },
		};
		const created = await run(
			'qrCode.create',
			{
				qrType: fromItem('type'),
				dataSource: 'json',
				qrData: '={{ JSON.stringify($json.data) }}',
				additionalFields: { foreground: '#0000ff', background: '#ffffff' },
			},
			qrTypes.map((type) => ({ type, data: data[type] })),
		);
		const codes = records(created);
		const link0 = expect.stringContaining('/qr/') as string;
		expect(codes).toEqual(
			qrTypes.map(() => ({ id, link: link0, scans: 0, name: null, date: timestamp, ...isNew })),
		);

		const link = codes[qrTypes.indexOf('link')]!;
		const scanned = await fetch(String(link.link), {
			redirect: 'manual',
			headers: { 'x-country': 'Canada', referer: 'https://news.example.com/' },
		});
		expect(scanned.headers.get('location')).toBe('https://example.com/menu');
		expect(await runOne('qrCode.get', { qrCodeId: byId(link.id) })).toEqual({
			id: link.id,
			link: link.link,
			scans: 1,
			name: text,
			date: timestamp,
			statistics: expect.objectContaining({
				clicks: 1,
				uniqueClicks: 1,
				topCountries: { Canada: 1 },
			}) as object,
		});
		const wifi = codes[qrTypes.indexOf('wifi')]!;
		expect(await runOne('qrCode.get', { qrCodeId: byId(wifi.id) })).toMatchObject({
			scans: 0,
			statistics: noClicks,
		});

		const image = { fileName: `${String(link.link).split('/').at(-1)}.png`, mimeType: 'image/png' };
		const downloaded = await run('qrCode.download', { qrCodeId: byId(link.id), imageFormat: 'svg' });
		expect(records(downloaded)).toMatchObject([{ id: link.id, scans: 1 }]);
		expect(downloaded.items('Link Manager')[0]!.binary).toMatchObject({
			data: { fileName: image.fileName.replace('png', 'svg'), mimeType: 'image/svg+xml' },
		});
		const createdAll = await run('qrCode.create', {
			qrType: 'text',
			qrText: 'Table 12',
			additionalFields: { imageFormat: 'png', name: 'Table' },
		});
		expect(createdAll.items('Link Manager')[0]!.binary).toMatchObject({ data: { mimeType: 'image/png' } });
		const [table] = records(createdAll);
		expect(await runOne('qrCode.get', { qrCodeId: byId(table!.id) })).toMatchObject({
			name: 'Table',
			scans: 0,
		});
		const changed = { qrCodeId: byId(table!.id), qrType: 'phone', qrPhone: '+15550100' };
		await runOne('qrCode.update', { ...changed, updateFields: { name: 'Desk' } });
		expect(await runOne('qrCode.get', { qrCodeId: byId(table!.id) })).toMatchObject({ name: 'Desk' });
		await runOne('qrCode.delete', { qrCodeId: byId(table!.id) });

		const updated = await runOne('qrCode.update', {
			qrCodeId: byId(link.id),
			qrType: 'link',
			qrLink: 'https://example.com/new',
		});
		const nothingElse = { link: null, scans: null, name: null, date: null };
		expect(updated).toEqual({
			id: link.id,
			...nothingElse,
			message: 'QR has been updated successfully.',
		});
		const again = await fetch(String(link.link), { redirect: 'manual' });
		expect(again.headers.get('location')).toBe('https://example.com/new');

		expect(await runOne('qrCode.delete', { qrCodeId: byId(wifi.id) })).toEqual({
			deleted: true,
			id: wifi.id,
		});
		expect(await runAll('qrCode.getAll')).toHaveLength(before + qrTypes.length - 1);
	});

	it('API Request', async () => {
		const send = async (apiPath: string, more: object = {}) =>
			records(await run('apiRequest.send', { apiPath, ...more }));
		expect(await send('api/account')).toMatchObject([{ data: { username: 'sandbox' } }]);
		const list = { apiResult: 'list', listField: 'data.cta' };
		const paged = { ...list, listPageParameter: 'page', listLimit: 50 };
		expect(await send('/api/overlay?limit=1', paged)).toHaveLength(3);
		expect(await send('/api/overlay?limit=1', { ...paged, listLimit: 2 })).toHaveLength(2);
		expect(await send('/api/overlay?limit=2', { ...list, listLimit: 50 })).toHaveLength(2);
		const additionalFields = { apiBody: '{ "name": "By Hand" }' };
		const [made] = await send('/api/channel/add', { apiMethod: 'POST', additionalFields });
		expect(made).toMatchObject({ name: 'By Hand' });
		const file = await run('apiRequest.send', { apiPath: '/assets/avatar.png', apiResult: 'file' });
		expect(file.items('Link Manager')[0]!.binary).toMatchObject({ data: { mimeType: 'image/png' } });
		const refused = await run('apiRequest.send', { apiPath: '/api/nothing' });
		expect(refused.error).toMatchObject({
			name: 'NodeApiError',
			message: 'There is no GET /links/api/nothing here.',
		});
	});

	it('reports a rejection with the service’s message', async () => {
		const result = await run('shortLink.get', { linkId: byId(99_999) });
		expect(result.error).toMatchObject({ name: 'NodeApiError', message: 'Link 99999 does not exist.' });
	});
});

it('returns no undeclared member', () => {
	expect(outputs.undeclaredMembers()).toEqual([]);
});

it('declares no member that no record has', () => {
	expect(outputs.unseenMembers()).toEqual([]);
});
