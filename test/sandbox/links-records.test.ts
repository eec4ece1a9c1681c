import { LinkClient, startLinks, type LinkServer } from '../support/clients/link-client.ts';

/** Every endpoint of the interface document: its effects and exact responses. */

// 2026-03-04 05:06:07 UTC
const clock = { now: () => Date.UTC(2026, 2, 4, 5, 6, 7) };
const moment = '2026-03-04 05:06:07';

let sandbox: LinkServer;
let api: LinkClient;

beforeEach(async () => {
	sandbox = await startLinks({ clock });
	api = new LinkClient(sandbox.linksUrl);
});
afterEach(() => sandbox.close());

test('account: read, change e-mail and password', async () => {
	expect(await api.get('/account')).toEqual({
		error: 0,
		data: {
			id: 1,
			email: 'sandbox@example.com',
			username: 'sandbox',
			avatar: `${sandbox.linksUrl}/assets/avatar.png`,
			status: 'pro',
			expires: '2099-12-31 23:59:59',
			registered: moment,
		},
	});
	const avatar = await fetch(`${sandbox.linksUrl}/assets/avatar.png`);
	expect(avatar.headers.get('content-type')).toBe('image/png');

	const change = { email: 'new@example.com', password: 'another one' };
	expect((await api.call('PUT', '/account/update', change)).body).toEqual({
		error: 0,
		message: 'Account has been successfully updated.',
	});
	const account = await api.get('/account');
	expect(account.data.email).toBe('new@example.com');
	expect(JSON.stringify(account)).not.toContain('another one');

	const taken = await new LinkClient(sandbox.linksUrl, 'sandbox-second-key').call('PUT', '/account/update', {
		email: 'new@example.com',
	});
	expect(taken).toMatchObject({
		status: 409,
		body: { error: 1, message: 'That e-mail address is taken. Please choose another one.' },
	});
});

test('domains: add, list, change redirects, delete', async () => {
	expect(
		await api.add('/domain/add', { domain: 'https://Go.Example.com', redirectroot: 'https://example.com/' }),
	).toEqual({ error: 0, id: 1 });
	expect(await api.add('/domain/add', { domain: 'http://two.example.com/' })).toEqual({ error: 0, id: 2 });
	const update = {
		redirectroot: '',
		redirect404: 'https://example.com/lost',
		domain: 'https://other.example.com',
	};
	expect((await api.call('PUT', '/domain/1/update', update)).body).toEqual({
		error: 0,
		message: 'Domain has been updated successfully.',
	});
	expect(await api.get('/domains')).toEqual({
		error: '0',
		data: {
			result: 2,
			perpage: 15,
			currentpage: 1,
			nextpage: 2,
			maxpage: 1,
			domains: [
				{ id: 2, domain: 'http://two.example.com', redirectroot: '', redirect404: '' },
				{
					id: 1,
					domain: 'https://go.example.com',
					redirectroot: '',
					redirect404: 'https://example.com/lost',
				},
			],
		},
	});
	expect((await api.call('DELETE', '/domain/1/delete')).body).toEqual({
		error: 0,
		message: 'Domain has been deleted successfully.',
	});
	expect(await api.entries('/domains', 'domains')).toMatchObject([{ id: 2 }]);
});

test('overlays and custom splash pages: built in, listed', async () => {
	const overlays = await api.entries('/overlay', 'cta');
	expect(overlays).toHaveLength(3);
	expect(overlays[2]).toEqual({ id: 1, type: 'message', name: 'Read our newsletter', date: moment });
	expect(await api.entries('/splash', 'splash')).toEqual([
		{ id: 2, name: 'Partner', date: moment },
		{ id: 1, name: 'Welcome', date: moment },
	]);
});

test('campaigns: add, list with the name under another key, update, assign a link, delete', async () => {
	const first = {
		id: 1,
		domain: 'Spring sale',
		public: false,
		rotator: false,
		list: `${sandbox.linksUrl}/u/sandbox/spring-sale-1`,
	};
	const second = {
		id: 2,
		domain: 'Summer',
		public: true,
		rotator: `${sandbox.linksUrl}/r/sun`,
		list: `${sandbox.linksUrl}/u/sandbox/sun-2`,
	};
	expect(await api.add('/campaign/add', { name: 'Spring sale' })).toEqual({ error: 0, ...first });
	expect(await api.add('/campaign/add', { name: 'Summer', slug: 'sun', public: true })).toEqual({
		error: 0,
		...second,
	});
	const { domain: name, ...rest } = first;
	expect(await api.entries('/campaigns', 'campaigns')).toEqual([second, { ...rest, name }]);

	const updated = await api.call('PUT', '/campaign/1/update', { name: 'Spring', slug: 'green', public: 1 });
	expect(updated.body).toEqual({
		error: 0,
		id: 1,
		domain: 'Spring',
		public: true,
		rotator: `${sandbox.linksUrl}/r/green`,
		list: `${sandbox.linksUrl}/u/sandbox/green-1`,
	});
	expect((await api.call('PUT', '/campaign/1/update', { name: 'spring' })).body).toMatchObject({
		domain: 'spring',
		public: true,
		rotator: `${sandbox.linksUrl}/r/green`,
	});

	const { id } = await api.add('/url/add', { url: 'https://example.com/' });
	expect((await api.call('POST', `/campaign/1/assign/${id}`)).body).toEqual({
		error: 0,
		message: 'Link successfully added to the campaign.',
	});
	const list = await api.call('GET', '/campaigns');
	expect(list.text).toContain('green-1');

	expect((await api.call('DELETE', '/campaign/1/delete')).body).toEqual({
		error: 0,
		message: 'Campaign has been deleted successfully.',
	});
	expect((await api.call('POST', `/campaign/1/assign/${id}`)).status).toBe(404);
	expect((await api.get(`/url/${id}`)).error).toBe(0);
});

test('campaigns: generates a missing name', async () => {
	const { domain } = await api.add('/campaign/add', {});
	expect(domain).toMatch(/^Campaign \w{7}$/);
});

test('channels: add, list, assign each kind of item, list items, update, delete', async () => {
	const news = { name: 'News', description: 'All of it', color: '#0A0B0C', starred: true };
	expect(await api.add('/channel/add', news)).toEqual({ error: 0, id: 1, ...news });
	expect(await api.add('/channel/add', { name: 'Plain' })).toEqual({
		error: 0,
		id: 2,
		name: 'Plain',
		description: '',
		color: '#000000',
		starred: false,
	});
	expect((await api.call('PUT', '/channel/2/update', { color: '#ffffff', starred: 'true' })).body).toEqual({
		error: 0,
		message: 'Channel has been updated successfully.',
	});
	expect(await api.entries('/channels', 'channels')).toEqual([
		{ id: 2, name: 'Plain', description: '', color: '#ffffff', starred: true },
		{ id: 1, ...news },
	]);

	const url = await api.add('/url/add', { url: 'https://example.com/', metatitle: 'Example' });
	const qr = await api.add('/qr/add', { type: 'text', data: 'Hello' });
	for (const path of [`links/${url.id}`, 'bio/1', `qr/${qr.id}`, `qr/${qr.id}`]) {
		expect((await api.call('POST', `/channel/1/assign/${path}`)).body).toEqual({
			error: 0,
			message: 'Item successfully added to the channel.',
		});
	}
	const date = '2026-03-04';
	expect(await api.entries('/channel/1', 'items')).toEqual([
		{ type: 'qr', id: qr.id, title: 'Hello', preview: `${String(qr.link)}/image.png`, link: qr.link, date },
		{
			type: 'bio',
			id: 1,
			title: 'Editors',
			preview: `${sandbox.linksUrl}/assets/bio.png`,
			link: `${sandbox.linksUrl}/b/sandbox-editors`,
			date,
		},
		{
			type: 'links',
			id: url.id,
			title: 'Example',
			preview: `${sandbox.linksUrl}/assets/link.png`,
			link: url.shorturl,
			date,
		},
	]);
	for (const item of await api.entries('/channel/1', 'items')) {
		expect((await fetch(String(item.preview))).headers.get('content-type')).toBe('image/png');
	}

	await api.call('DELETE', `/qr/${qr.id}/delete`);
	await api.call('DELETE', `/url/${url.id}/delete`);
	expect(await api.entries('/channel/1', 'items')).toMatchObject([{ type: 'bio' }]);

	expect((await api.call('DELETE', '/channel/1/delete')).body).toEqual({
		error: 0,
		message: 'Channel has been deleted successfully.',
	});
	expect((await api.call('GET', '/channel/1')).status).toBe(404);
});

test('pixels: add each of the thirteen types, list, update, delete', async () => {
	const types =
		'gtmpixel gapixel fbpixel adwordspixel linkedinpixel twitterpixel adrollpixel quorapixel pinterest bing snapchat reddit tiktok'.split(
			' ',
		);
	for (const [index, type] of types.entries()) {
		expect(await api.add('/pixel/add', { type, name: `My ${type}`, tag: 100 + index })).toEqual({
			error: 0,
			id: index + 1,
		});
	}
	expect((await api.call('PUT', '/pixel/1/update', { tag: 'GTM-1' })).body).toEqual({
		error: 0,
		message: 'Pixel has been updated successfully.',
	});
	const pixels = await api.entries('/pixels?limit=50', 'pixels');
	expect(pixels.map(({ type }) => type)).toEqual([...types].reverse());
	expect(pixels.at(-1)).toEqual({ id: 1, type: 'gtmpixel', name: 'My gtmpixel', tag: 'GTM-1', date: moment });
	expect((await api.call('DELETE', '/pixel/1/delete')).body).toEqual({
		error: 0,
		message: 'Pixel has been deleted successfully.',
	});
	expect(await api.entries('/pixels', 'pixels')).toHaveLength(12);
});

test('QR codes: add, list, get, update, delete', async () => {
	const added = await api.add('/qr/add', { type: 'link', data: 'https://example.com/menu' });
	expect(added).toEqual({ error: 0, id: 1, link: expect.stringContaining(`${sandbox.linksUrl}/qr/`) });
	const record = { id: 1, link: added.link, scans: 0, name: 'https://example.com/menu', date: moment };
	expect(await api.entries('/qr', 'qrs')).toEqual([record]);
	expect(await api.get('/qr/1')).toEqual({
		error: 0,
		details: record,
		data: {
			clicks: 0,
			uniqueClicks: 0,
			topCountries: {},
			topReferrers: {},
			topBrowsers: {},
			topOs: {},
			socialCount: { facebook: 0, twitter: 0, instagram: 0 },
		},
	});
	expect((await api.call('PUT', '/qr/1/update', { data: 'https://example.com/new' })).body).toEqual({
		error: 0,
		message: 'QR has been updated successfully.',
	});
	const redirect = await fetch(String(added.link), { redirect: 'manual' });
	expect(redirect.headers.get('location')).toBe('https://example.com/new');
	expect((await api.call('DELETE', '/qr/1/delete')).body).toEqual({
		error: 0,
		message: 'QR Code has been deleted successfully.',
	});
	expect((await fetch(String(added.link))).status).toBe(404);
});

test('short links: create, list, search, look up, get, update, delete', async () => {
	const first = await api.add('/url/add', {
		url: 'https://example.com/first',
		custom: 'first-one',
		metatitle: 'One',
		description: 'The first of them',
	});
	expect(first).toEqual({ error: 0, id: 1, shorturl: `${sandbox.linksUrl}/s/first-one` });
	const second = await api.add('/url/add', { url: 'https://example.com/second' });
	expect(second.shorturl).toMatch(/\/s\/\w{7}$/);

	const record = {
		id: 1,
		alias: 'first-one',
		shorturl: first.shorturl,
		longurl: 'https://example.com/first',
		title: 'One',
		description: 'The first of them',
		clicks: 0,
		date: moment,
	};
	expect((await api.entries('/urls', 'urls'))[1]).toEqual(record);
	expect(await api.get('/url/1')).toMatchObject({ error: 0, details: record, data: { uniqueClicks: 0 } });

	for (const q of ['FIRST', 'one', 'of them']) {
		expect(await api.entries(`/urls?q=${encodeURIComponent(q)}`, 'urls')).toEqual([record]);
	}
	expect(await api.entries('/urls?q=100%25', 'urls')).toEqual([]);
	const short = encodeURIComponent(String(second.shorturl));
	expect(await api.entries(`/urls?short=${short}&q=first&page=1`, 'urls')).toMatchObject([{ id: 2 }]);
	expect(await api.entries('/urls?short=https%3A%2F%2Felsewhere.example%2Ffirst-one', 'urls')).toEqual([]);

	await fetch(String(first.shorturl), { redirect: 'manual' });
	expect((await api.entries('/urls?order=click', 'urls')).map(({ id }) => id)).toEqual([1, 2]);
	expect((await api.entries('/urls?order=date', 'urls')).map(({ id }) => id)).toEqual([2, 1]);

	const changed = await api.call('PUT', '/url/1/update', { custom: 'renamed', url: 'https://example.com/1' });
	expect(changed.body).toEqual({ error: 0, id: 1, short: `${sandbox.linksUrl}/s/renamed` });
	expect((await fetch(String(first.shorturl))).status).toBe(404);
	expect(await api.get('/url/1')).toMatchObject({
		details: { alias: 'renamed', longurl: 'https://example.com/1', title: 'One', clicks: 1 },
	});

	expect((await api.call('DELETE', '/url/1/delete')).body).toEqual({
		error: 0,
		message: 'Link has been deleted successfully.',
	});
	expect((await api.call('GET', '/url/1')).status).toBe(404);
	expect((await api.add('/url/add', { url: 'https://example.com/third' })).id).toBe(3);
});

test('short links: creates a link in a campaign and a channel', async () => {
	const campaign = await api.add('/campaign/add', { name: 'C', public: true });
	const channel = await api.add('/channel/add', { name: 'C' });
	const url = await api.add('/url/add', {
		url: 'https://example.com/',
		campaign: campaign.id,
		channel: String(channel.id),
	});
	expect(await api.entries(`/channel/${channel.id}`, 'items')).toMatchObject([{ type: 'links', id: url.id }]);
});

test('lists: fifteen records per page by default, at most a hundred', async () => {
	for (let index = 1; index <= 32; index++) await api.add('/channel/add', { name: `Channel ${index}` });
	const names = async (query: string) =>
		(await api.entries(`/channels${query}`, 'channels')).map(({ id }) => id);
	expect((await names('')).length).toBe(15);
	expect(await names('?page=3')).toEqual([2, 1]);
	expect(await names('?limit=4&page=2')).toEqual([28, 27, 26, 25]);
	expect(await names('?page=4')).toEqual([]);
	expect((await api.get('/channels?limit=1000&page=1')).data).toMatchObject({
		result: 32,
		perpage: 100,
		maxpage: 1,
	});
	expect((await api.get('/channels?limit=10&page=3')).data).toMatchObject({
		result: 10,
		perpage: 10,
		currentpage: 3,
		nextpage: 4,
		maxpage: 4,
	});
});

test('accounts: neither reads nor changes records of another account', async () => {
	const other = new LinkClient(sandbox.linksUrl, 'sandbox-second-key');
	await api.add('/campaign/add', { name: 'Mine', slug: 'mine' });
	await api.add('/channel/add', { name: 'Mine' });
	await api.add('/domain/add', { domain: 'https://mine.example.com' });
	await api.add('/pixel/add', { type: 'bing', name: 'Mine', tag: '1' });
	await api.add('/qr/add', { type: 'text', data: 'Mine' });
	await api.add('/url/add', { url: 'https://example.com/mine' });
	for (const path of ['campaigns', 'channels', 'domains', 'pixels', 'qr', 'urls']) {
		expect((await other.get(`/${path}`)).data.result).toBe(0);
	}
	const calls: [string, string, unknown?][] = [
		['GET', '/channel/1'],
		['GET', '/qr/1'],
		['GET', '/url/1'],
		['PUT', '/campaign/1/update', { name: 'Yours' }],
		['PUT', '/channel/1/update', { name: 'Yours' }],
		['PUT', '/domain/1/update', {}],
		['PUT', '/pixel/1/update', { tag: '2' }],
		['PUT', '/qr/1/update', { data: 'Yours' }],
		['PUT', '/url/1/update', { url: 'https://example.com/yours' }],
		['POST', '/campaign/1/assign/1'],
		['POST', '/channel/1/assign/links/1'],
		['DELETE', '/campaign/1/delete'],
		['DELETE', '/channel/1/delete'],
		['DELETE', '/domain/1/delete'],
		['DELETE', '/pixel/1/delete'],
		['DELETE', '/qr/1/delete'],
		['DELETE', '/url/1/delete'],
	];
	for (const [method, path, body] of calls) {
		expect(await other.call(method, path, body)).toMatchObject({
			status: 404,
			body: { error: 1, message: expect.stringMatching(/ 1 does not exist\.$/) },
		});
	}
	expect((await api.get('/url/1')).details).toMatchObject({ longurl: 'https://example.com/mine' });
	expect((await other.call('POST', '/campaign/add', { name: 'Mine' })).status).toBe(200);
});
