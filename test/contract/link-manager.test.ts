/** The Link Manager in the sandbox, in the variants of the interface document and of real hosts: each write is read again. */
import type { IDataObject } from 'n8n-workflow';
import type { RunResult } from '../../engine/index.ts';
import { byId, from, records, runNode } from '../support/nodes/link-node';
import { variants } from '../../cases/endpoint.ts';
import { qrTypes } from '../../cases/links.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { engine } from '../support/nodes/suite-engine';

describe.each(variants)('%s', (variant) => {
	let sandbox: LinkSandbox;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start({ variant });
	});

	/** Runs an operation for each input. */
	async function run(name: string, parameters: object, inputs: object[] = [{}]): Promise<RunResult> {
		const [resource, operation] = name.split('.');
		return await runNode(engine, sandbox, { resource, operation, ...parameters }, inputs);
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
			campaign: { id: other.id },
			channel: [{ id: channel.id }],
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
			message: expect.stringContaining('“There is no GET /links/api/nothing here.”') as string,
		});
	});
});
