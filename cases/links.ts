/**
 * The interface of the link management service, transcribed by hand from its interface document and, for short
 * links and all `wild` responses, from responses of real hosts. The tests compare the table of operations with it, so
 * nothing here may be copied from the table.
 */
import { optional, required, type Endpoint, type Example } from './endpoint.ts';
import { makeThree, type Fixtures, step, type Step } from './fixture.ts';

const page = { limit: optional('integer'), page: optional('integer') };

/** One record: in the document, on hosts, and the node's output for both. */
interface Forms {
	contract: object;
	wild: object;
	output: object;
	/** The node's output for hosts that return more than the document says. */
	wildOutput?: object;
}

/** A record with an id, which is a number in one form and a string in the other. */
const plain = (id: number, rest: object): Forms => ({
	contract: { id, ...rest },
	wild: { id: String(id), ...rest },
	output: { id, ...rest },
});

type Sent = Record<string, unknown>;

/** The fields of the sent body, under the names of the record. */
const reported = (body: Sent = {}, names: Record<string, string>): object =>
	Object.fromEntries(
		Object.entries(names)
			.filter(([name]) => body[name] !== undefined)
			.map(([name, member]) => [member, body[name]]),
	);

/** A record without any known member. */
const blank = {
	domain: { domain: null, redirectRoot: null, redirect404: null },
	channel: { name: null, description: null, color: null, starred: null },
	pixel: { type: null, name: null, tag: null, date: null },
	qrCode: { link: null, scans: null, name: null, date: null },
	newerLink: { uniqueClicks: null, domain: null, campaign: null, channel: null },
};
/** The domain of a created link: the one that was sent, or the host's own. */
const domainIn = (body: Record<string, unknown> = {}): string => String(body.domain ?? 'https://links.test');

const blankLink = {
	...{ alias: null, shortUrl: null, longUrl: null, title: null, description: null, clicks: null, date: null },
	...blank.newerLink,
};

/** The fields of requests that are also members of the record. */
const same = (...names: string[]): Record<string, string> =>
	Object.fromEntries(names.map((name) => [name, name]));
const sentOf = {
	domain: { redirectroot: 'redirectRoot', ...same('domain', 'redirect404') },
	channel: same('name', 'description', 'color', 'starred'),
	pixel: same('type', 'name', 'tag'),
	qrCode: same('name'),
	link: { url: 'longUrl', custom: 'alias', metatitle: 'title', ...same('description', 'domain') },
};

/** A record that an operation with If Exists created. */
const created = ({ contract, wild, output }: Forms): Example =>
	exampleOf({ contract, wild, output: { ...output, existed: false, differs: [] } });

/** Any time in ISO 8601. */
const anyTime = (): unknown => expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** The example of an update: a message, and the known members of the record. */
const updated = (message: string, output: object): Example =>
	exampleOf({ contract: { message }, wild: { message }, output: { ...output, message } });

/** The example of a response that is not a list. */
const exampleOf = ({ contract, wild, output, wildOutput = output }: Forms): Example => ({
	contract: { response: { error: 0, ...contract }, record: output },
	wild: { response: { error: '0', ...wild }, record: wildOutput },
});

/** The response of a list with one entry. */
const listed = (collection: string, { contract, wild, output, wildOutput = output }: Forms): Example => ({
	contract: {
		response: {
			error: '0',
			data: { result: 1, perpage: 1, currentpage: 1, nextpage: 1, maxpage: 1, [collection]: [contract] },
		},
		record: output,
	},
	wild: {
		response: {
			error: 0,
			data: {
				result: '1',
				perpage: '1',
				currentpage: '1',
				nextpage: null,
				maxpage: '1',
				[collection]: [wild],
			},
		},
		record: wildOutput,
	},
});

/** The example of a response with a fixed message; `ids` are those of the request. */
const confirmed = (message: string, ids: object = {}): Example =>
	exampleOf({ contract: { message }, wild: { message }, output: { ...ids, message } });

const deleted = (message: string, id: unknown): Example =>
	exampleOf({ contract: { message }, wild: { message }, output: { deleted: true, id } });

/** A time in the format of the hosts, and in the node's output. */
const time = (n: number) => `2021-0${n + 1}-05 10:11:12`;
const iso = (written: string) => `${written.replace(' ', 'T')}.000Z`;

/** The same forms, with the times of the output in ISO 8601. */
const dated = ({ output, wildOutput = output, ...forms }: Forms): Forms => ({
	...forms,
	output: withIso(output),
	wildOutput: withIso(wildOutput),
});
const withIso = (output: object): object =>
	Object.fromEntries(
		Object.entries(output).map(([name, value]: [string, unknown]) => [
			name,
			['date', 'expires', 'expiry', 'registered'].includes(name) && value ? iso(String(value)) : value,
		]),
	);

const statistics = {
	contract: {
		clicks: 7,
		uniqueClicks: 5,
		topCountries: { Canada: '4', Unknown: '3' },
		topReferrers: { 'Direct, email and other': '7' },
		topBrowsers: { Chrome: '6', Firefox: '1' },
		topOs: { Linux: '7' },
		socialCount: { facebook: 1, twitter: 0, instagram: 2 },
	},
	wild: {
		clicks: '7',
		uniqueClicks: '5',
		topCountries: { Canada: '4', Unknown: '3' },
		topReferrers: { 'Direct, email and other': '7' },
		topBrowsers: { Chrome: '6', Firefox: '1' },
		topOs: { Linux: '7' },
		socialCount: { facebook: '1', twitter: '0', instagram: '2' },
	},
	output: {
		clicks: 7,
		uniqueClicks: 5,
		topCountries: { Canada: 4, Unknown: 3 },
		topReferrers: { 'Direct, email and other': 7 },
		topBrowsers: { Chrome: 6, Firefox: 1 },
		topOs: { Linux: 7 },
		socialCount: { facebook: 1, twitter: 0, instagram: 2 },
	},
};

/** A campaign; `rotator` is false if it has none. */
const campaign = (n: number, nameKey: string, wildNameKey: string): Forms => {
	const id = 31 + n;
	const name = `Spring ${n}`;
	const rotator = n === 1 ? `https://links.test/r/spring-${n}` : false;
	const list = `https://links.test/u/me/spring-${id}`;
	return {
		contract: { id, [nameKey]: name, public: n !== 1, rotator, list },
		wild: { id: String(id), [wildNameKey]: name, public: n !== 1 ? 1 : 0, rotator, list },
		output: { id, name, public: n !== 1, rotator: rotator || null, list },
	};
};

const channel = (n: number): Forms => {
	const id = 41 + n;
	const common = { name: `Letter ${n}`, description: 'Weekly', color: '#1a2b3c' };
	return {
		contract: { id, ...common, starred: n === 1 },
		wild: { id: String(id), ...common, starred: n === 1 ? '1' : '0' },
		output: { id, ...common, starred: n === 1 },
	};
};

const channelItem = (n: number): Forms =>
	plain(61 + n, {
		type: ['links', 'bio', 'qr'][n],
		title: `Item ${n}`,
		preview: 'https://example.com/preview',
		link: 'https://links.test/item',
		date: '2026-03-04',
	});

const qrCode = (n: number): Forms => {
	const id = 71 + n;
	const common = { link: `https://links.test/qr/code${n}`, name: `Menu ${n}`, date: time(n) };
	return dated({
		contract: { id, scans: 9, ...common },
		wild: { id: String(id), scans: '9', ...common },
		output: { id, scans: 9, ...common },
	});
};

/** Newer hosts return more members of a short link. */
const shortLink = (n: number): Forms => {
	const id = 81 + n;
	const common = {
		alias: `go${n}`,
		shorturl: `https://links.test/go${n}`,
		longurl: `https://example.com/${n}`,
		title: `Title ${n}`,
		description: '',
		date: time(n),
	};
	const newer = { domain: 'https://links.test', campaign: null };
	const inChannel = (id: unknown) => ({ channel: [{ id, name: 'News' }] });
	const { shorturl: shortUrl, longurl: longUrl, ...named } = common;
	const output = { id, ...named, shortUrl, longUrl, clicks: 7, ...blank.newerLink };
	return dated({
		contract: { id, ...common, clicks: 7 },
		wild: { id: String(id), ...common, clicks: '7', uniqueclicks: '5', ...newer, ...inChannel('41') },
		output,
		wildOutput: { ...output, uniqueClicks: 5, ...newer, ...inChannel(41) },
	});
};

/** A single link also has its targets for some visitors (seen on real hosts). */
const detailedLink = (n: number): Forms => {
	const link = shortLink(n);
	const device = n === 1 ? {} : { iphone: 'https://example.com/i' };
	const untold = { location: null, device: null, expiry: null, cta: null, overlay: null };
	const details = { location: { canada: 'https://example.com/ca' }, overlay: null };
	const expiry = time(n);
	return {
		...link,
		wild: { ...link.wild, ...details, expiry, device: n === 1 ? [] : device, cta: '3' },
		output: { ...link.output, ...untold },
		wildOutput: { ...link.wildOutput, ...details, expiry: iso(expiry), device, cta: 3 },
	};
};

const withStatistics = ({ contract, wild, output, wildOutput = output }: Forms): Example =>
	exampleOf({
		contract: { details: contract, data: statistics.contract },
		wild: { details: wild, data: statistics.wild },
		output: { ...output, statistics: statistics.output },
		wildOutput: { ...wildOutput, statistics: statistics.output },
	});

/** The campaign and the channel of a created link; their names are unknown. */
const placesOf = ({ campaign, channel }: Sent = {}): object => ({
	...(campaign !== undefined && { campaign: { id: campaign, name: null } }),
	...(channel !== undefined && { channel: [{ id: channel, name: null }] }),
});

const shortLinkFields = {
	custom: optional(),
	password: optional(),
	domain: optional(),
	expiry: optional('timestamp'),
	type: optional(),
	geotarget: optional('objects'),
	devicetarget: optional('objects'),
	languagetarget: optional('objects'),
	parameters: optional('objects'),
	metatitle: optional(),
	metadescription: optional(),
	metaimage: optional(),
	pixels: optional('integers'),
	channel: optional('integer'),
	campaign: optional('integer'),
	deeplink: optional('object'),
	status: optional(['public', 'private']),
	description: optional(),
};

export const pixelTypes = [
	'gtmpixel',
	'gapixel',
	'fbpixel',
	'adwordspixel',
	'linkedinpixel',
	'twitterpixel',
	'adrollpixel',
	'quorapixel',
	'pinterest',
	'bing',
	'snapchat',
	'reddit',
	'tiktok',
] as const;

export const qrTypes = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'] as const;

export const linkEndpoints: Endpoint[] = [
	// Account
	{
		method: 'GET',
		path: '/api/account',
		example: () => {
			const account = dated(
				plain(1, {
					email: 'me@example.com',
					username: 'me',
					avatar: 'https://links.test/avatar.png',
					status: 'pro',
					expires: '2027-11-15 15:00:00',
					registered: '2020-11-10 18:01:43',
				}),
			);
			return exampleOf({
				contract: { data: account.contract },
				wild: { data: account.wild },
				output: account.output,
			});
		},
	},
	{
		method: 'PUT',
		path: '/api/account/update',
		body: { email: optional(), password: optional() },
		example: () => confirmed('Account has been successfully updated.'),
	},

	// Branded domains
	{
		method: 'GET',
		path: '/api/domains',
		query: page,
		collection: 'domains',
		example: ({ n }) => {
			const { contract, wild } = plain(21 + n, {
				domain: `https://go${n}.example.com`,
				redirectroot: 'https://example.com',
				redirect404: '',
			});
			const output = {
				id: 21 + n,
				domain: `https://go${n}.example.com`,
				redirectRoot: 'https://example.com',
				redirect404: '',
			};
			return listed('domains', { contract, wild, output });
		},
	},
	{
		method: 'POST',
		path: '/api/domain/add',
		body: { domain: required(), redirectroot: optional(), redirect404: optional() },
		example: ({ n, body }) => {
			const { contract, wild } = plain(21 + n, {});
			return created({
				contract,
				wild,
				output: { ...blank.domain, ...reported(body, sentOf.domain), ...contract },
			});
		},
	},
	{
		method: 'PUT',
		path: '/api/domain/:id/update',
		body: { redirectroot: optional(), redirect404: optional() },
		example: ({ ids: [id], body }) =>
			updated('Domain has been updated successfully.', {
				...blank.domain,
				...reported(body, sentOf.domain),
				id,
			}),
	},
	{
		method: 'DELETE',
		path: '/api/domain/:id/delete',
		example: ({ ids: [id] }) => deleted('Domain has been deleted successfully.', id),
	},

	// CTA overlays
	{
		method: 'GET',
		path: '/api/overlay',
		query: page,
		collection: 'cta',
		example: ({ n }) =>
			listed('cta', dated(plain(51 + n, { type: 'message', name: `Offer ${n}`, date: time(n) }))),
	},

	// Campaigns
	{
		method: 'GET',
		path: '/api/campaigns',
		query: page,
		collection: 'campaigns',
		example: ({ n }) => listed('campaigns', campaign(n, n === 1 ? 'domain' : 'name', 'campaign')),
	},
	{
		method: 'POST',
		path: '/api/campaign/add',
		// The document does not require the name; hosts generate it if it is missing.
		body: { name: required(), slug: optional(), public: optional('boolean') },
		example: ({ n }) => created(campaign(n, 'domain', 'campaign')),
	},
	{
		method: 'POST',
		path: '/api/campaign/:campaignid/assign/:linkid',
		example: ({ ids: [campaignId, linkId] }) =>
			confirmed('Link successfully added to the campaign.', { campaignId, linkId }),
	},
	{
		method: 'PUT',
		path: '/api/campaign/:id/update',
		body: { name: required(), slug: optional(), public: optional('boolean') },
		example: ({ n }) => exampleOf(campaign(n, 'domain', 'campaign')),
	},
	{
		method: 'DELETE',
		path: '/api/campaign/:id/delete',
		example: ({ ids: [id] }) => deleted('Campaign has been deleted successfully.', id),
	},

	// Channels
	{
		method: 'GET',
		path: '/api/channels',
		query: page,
		collection: 'channels',
		example: ({ n }) => listed('channels', channel(n)),
	},
	{
		method: 'GET',
		path: '/api/channel/:id',
		query: page,
		collection: 'items',
		example: ({ n }) => listed('items', channelItem(n)),
	},
	{
		method: 'POST',
		path: '/api/channel/add',
		body: {
			name: required(),
			description: optional(),
			color: optional('hex'),
			starred: optional('boolean'),
		},
		example: ({ n }) => created(channel(n)),
	},
	{
		method: 'POST',
		path: '/api/channel/:channelid/assign/:type/:itemid',
		example: ({ ids: [channelId, type, itemId] }) =>
			confirmed('Item successfully added to the channel.', { channelId, type, itemId }),
	},
	{
		method: 'PUT',
		path: '/api/channel/:id/update',
		body: {
			name: optional(),
			description: optional(),
			color: optional('hex'),
			starred: optional('boolean'),
		},
		example: ({ n, ids: [id], body }) => {
			const { wild, output } = channel(n);
			return {
				contract: updated('Channel has been updated successfully.', {
					...blank.channel,
					...reported(body, sentOf.channel),
					id,
				}).contract,
				wild: exampleOf({ contract: {}, wild: { ...wild, id }, output: { ...output, id, message: null } })
					.wild,
			};
		},
	},
	{
		method: 'DELETE',
		path: '/api/channel/:id/delete',
		example: ({ ids: [id] }) => deleted('Channel has been deleted successfully.', id),
	},

	// Custom splash pages
	{
		method: 'GET',
		path: '/api/splash',
		query: page,
		collection: 'splash',
		example: ({ n }) => listed('splash', dated(plain(91 + n, { name: `Welcome ${n}`, date: time(n) }))),
	},

	// Pixels
	{
		method: 'GET',
		path: '/api/pixels',
		query: page,
		collection: 'pixels',
		example: ({ n }) =>
			listed(
				'pixels',
				dated(plain(14 + n, { type: 'gtmpixel', name: `Shop ${n}`, tag: `GTM-${n}`, date: time(n) })),
			),
	},
	{
		method: 'POST',
		path: '/api/pixel/add',
		body: { type: required(pixelTypes), name: required(), tag: required() },
		example: ({ n, body }) => {
			const { contract, wild } = plain(14 + n, {});
			return created({
				contract,
				wild,
				output: { ...blank.pixel, ...reported(body, sentOf.pixel), date: anyTime(), ...contract },
			});
		},
	},
	{
		method: 'PUT',
		path: '/api/pixel/:id/update',
		body: { name: optional(), tag: required() },
		example: ({ ids: [id], body }) =>
			updated('Pixel has been updated successfully.', {
				...blank.pixel,
				...reported(body, sentOf.pixel),
				id,
			}),
	},
	{
		method: 'DELETE',
		path: '/api/pixel/:id/delete',
		example: ({ ids: [id] }) => deleted('Pixel has been deleted successfully.', id),
	},

	// QR codes
	{
		method: 'GET',
		path: '/api/qr',
		query: page,
		collection: 'qrs',
		example: ({ n }) => listed('qrs', qrCode(n)),
	},
	{
		method: 'GET',
		path: '/api/qr/:id',
		example: ({ n }) => withStatistics(qrCode(n)),
	},
	{
		method: 'POST',
		path: '/api/qr/add',
		body: {
			type: required(qrTypes),
			data: required('any'),
			// Seen on real hosts, like the type in updates.
			name: optional(),
			background: optional('rgb'),
			foreground: optional('rgb'),
			logo: optional(),
		},
		example: ({ n, body }) => {
			const { contract, wild } = plain(71 + n, { link: `https://links.test/qr/code${n}` });
			const output = {
				...blank.qrCode,
				...reported(body, sentOf.qrCode),
				scans: 0,
				date: anyTime(),
				...contract,
			};
			return created({ contract, wild, output });
		},
	},
	{
		method: 'PUT',
		path: '/api/qr/:id/update',
		body: {
			type: required(qrTypes),
			data: required('any'),
			// Seen on real hosts, like the type in updates.
			name: optional(),
			background: optional('rgb'),
			foreground: optional('rgb'),
			logo: optional(),
		},
		example: ({ ids: [id], body }) =>
			updated('QR has been updated successfully.', { ...blank.qrCode, ...reported(body, sentOf.qrCode), id }),
	},
	{
		method: 'DELETE',
		path: '/api/qr/:id/delete',
		example: ({ ids: [id] }) => deleted('QR Code has been deleted successfully.', id),
	},

	// Short links (seen on real hosts)
	{
		method: 'GET',
		path: '/api/urls',
		query: { ...page, order: optional(['date', 'click']), short: optional(), q: optional() },
		collection: 'urls',
		example: ({ n }) => listed('urls', shortLink(n)),
	},
	{
		method: 'GET',
		path: '/api/url/:id',
		example: ({ n }) => withStatistics(detailedLink(n)),
	},
	{
		method: 'POST',
		path: '/api/url/add',
		body: { url: required(), ...shortLinkFields },
		example: ({ n, body }) => {
			const domain = domainIn(body);
			const { contract, wild } = plain(81 + n, { shorturl: `${domain}/go${n}` });
			const output = {
				...{ ...blankLink, channel: [], ...reported(body, sentOf.link), ...placesOf(body) },
				...{ clicks: 0, uniqueClicks: 0, date: anyTime() },
				...{ id: 81 + n, shortUrl: `${domain}/go${n}`, domain, alias: `go${n}` },
			};
			return created({ contract, wild, output });
		},
	},
	{
		method: 'PUT',
		path: '/api/url/:id/update',
		body: { url: optional(), ...shortLinkFields },
		example: ({ n, ids: [id], body }) => {
			const domain = domainIn(body);
			const shorturl = `${domain}/go${n}`;
			return exampleOf({
				contract: { id, short: shorturl },
				wild: { id: String(id), shorturl },
				output: {
					...{ ...blankLink, ...reported(body, sentOf.link), ...placesOf(body) },
					...{ id, shortUrl: shorturl, domain, alias: `go${n}` },
				},
			});
		},
	},
	{
		method: 'DELETE',
		path: '/api/url/:id/delete',
		example: ({ ids: [id] }) => deleted('Link has been deleted successfully.', id),
	},
];

/** Creates a record of a link service; it is removed by its id. */
const create = (resource: string, parameter: string, values: Step['values']): Step =>
	step(`${resource}.create`, values, {
		store: ({ id }, own) => {
			own[parameter] = id;
		},
		undo: step(`${resource}.delete`, (own) => ({ [parameter]: own[parameter] })),
	});

const hyphenated = (name: unknown): string => String(name).replaceAll(' ', '-');

export const linkSteps: Step[] = [
	create('channel', 'channelId', ({ name }) => ({ name })),
	create('campaign', 'campaignId', ({ name }) => ({ name })),
	// No address that the account has a link for: a host may return that link instead.
	create('shortLink', 'linkId', ({ name }) => ({
		url: `https://example.com/${hyphenated(name)}`,
		additionalFields: { description: name },
	})),
	create('qrCode', 'qrCodeId', ({ name }) => ({
		...{ dataSource: 'fields', qrType: 'text', qrText: name },
		additionalFields: { name },
	})),
	create('pixel', 'pixelId', ({ name }) => ({ name, pixelType: 'gtmpixel', tag: 'GTM-CHECK' })),
	create('domain', 'domainId', ({ name }) => ({
		domain: `https://${hyphenated(name)}.example.com`,
	})),
	step('apiRequest.send', () => ({ apiPath: '/api/account' })),
	step('campaign.assignLink', ({ campaignId, linkId }) => ({ campaignId, linkId })),
	step('channel.assignItem', ({ channelId, linkId }) => ({ channelId, itemType: 'links', linkId })),
	step('campaign.update', ({ campaignId, name }) => ({ campaignId, name: `${String(name)} changed` })),
	step('channel.update', ({ channelId, name }) => ({ channelId, updateFields: { description: name } })),
	step('shortLink.update', ({ linkId, name }) => ({
		linkId,
		updateFields: { url: `https://example.com/${hyphenated(name)}-changed` },
	})),
	step('qrCode.update', ({ qrCodeId, name }) => ({
		qrCodeId,
		dataSource: 'fields',
		qrType: 'text',
		qrText: `${String(name)} changed`,
	})),
	step('pixel.update', ({ pixelId }) => ({ pixelId, tag: 'GTM-CHANGED' })),
	step('domain.update', ({ domainId }) => ({
		domainId,
		updateFields: { redirectroot: 'https://example.com/' },
	})),
];

/** Operations that change what the check did not create. */
export const linkOperationsNotTried = ['account.update'];

/** `service` is a client of the service that creates records. */
export function linkFixtures(service: {
	add(path: string, body: object): Promise<{ id: number }>;
}): Fixtures {
	let count = 0;
	const menus = [1, 2, 3].map((n) => `https://example.com/menu/${n}`);
	const add = (kind: string, body: (n: number) => object) => () =>
		makeThree(async () => (await service.add(`/${kind}/add`, body(++count))).id);
	return {
		makers: {
			linkId: add('url', (n) => ({ url: `https://example.com/e2e/${n}` })),
			campaignId: add('campaign', (n) => ({ name: `Campaign ${n}` })),
			channelId: add('channel', (n) => ({ name: `Channel ${n}` })),
			pixelId: add('pixel', (n) => ({ type: 'gtmpixel', name: `Pixel ${n}`, tag: `GTM-${n}` })),
			qrCodeId: add('qr', (n) => ({ type: 'link', data: `https://example.com/e2e/${n}` })),
			domainId: add('domain', (n) => ({ domain: `https://e2e-${n}.example.com` })),
		},
		values: {
			'account.update': { updateFields: { email: 'e2e@example.com' } },
			'apiRequest.send': {
				apiMethod: 'POST',
				apiPath: '/api/qr/add',
				additionalFields: { apiBody: JSON.stringify({ type: 'text', data: 'Hello' }) },
			},
			'campaign.create': { name: [1, 2, 3].map((n) => `Made ${n}`) },
			'channel.assignItem': { itemType: 'links' },
			'channel.update': { updateFields: { description: 'Changed' } },
			'domain.create': { domain: [1, 2, 3].map((n) => `https://made-${n}.example.com`) },
			'domain.update': { updateFields: { redirectroot: 'https://example.com' } },
			'pixel.create': { pixelType: 'gtmpixel', tag: ['GTM-A', 'GTM-B', 'GTM-C'] },
			'pixel.update': { tag: ['GTM-D', 'GTM-E', 'GTM-F'] },
			'qrCode.create': { dataSource: 'fields', qrType: 'link', qrLink: menus },
			'qrCode.update': { dataSource: 'fields', qrType: 'link', qrLink: menus },
			'shortLink.create': { url: [1, 2, 3].map((n) => `https://example.com/made/${n}`) },
			'shortLink.update': { updateFields: { url: 'https://example.com/changed' } },
		},
	};
}
