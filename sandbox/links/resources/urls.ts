import { parseTimestamp, newCode } from '../fields.ts';
import { hashPassword } from '../../shared/secrets.ts';
import { addresses } from '../public-addresses.ts';
import { removeFromChannels } from './channels.ts';
import type { LinkContext } from '../context.ts';
import { conflict, invalid } from '../responses.ts';
import { action, list, type Call } from '../link-route.ts';
import type { Search } from '../link-store.ts';
import { settingsOf, type UrlRow } from '../tables.ts';
import { removeVisits, statistics } from '../visits.ts';
import { createBody, settingsIn, updateBody, type WrittenUrl } from '../url-body.ts';

/** Short links, which the interface document lacks; seen on real hosts. */
export const urlRoutes = [
	list({
		path: '/urls',
		collection: 'urls',
		find(call, slice) {
			const { short } = call.query;
			if (typeof short === 'string' && short !== '') return lookUp(call, short);
			const search = searchOf(call);
			return { rows: call.store.list('urls', search, slice), total: call.store.count('urls', search) };
		},
		present: (url, { context }) => record(context, url),
	}),
	action({
		method: 'GET',
		path: '/url/:id',
		run(call) {
			const url = call.own('urls', call.id(), 'Link');
			return { details: details(call, url), data: statistics(call.context, 'urls', url) };
		},
	}),
	action({
		method: 'POST',
		path: '/url/add',
		body: createBody,
		run(call) {
			const { store, account, context, body } = call;
			const domain_id = checkReferences(call);
			const alias = body.custom ?? newCode((code) => store.find('urls', { alias: code }) !== undefined);
			refuseTaken(call, alias);
			const id = store.transaction(() => {
				const created = store.insert('urls', {
					account_id: account.id,
					alias,
					domain_id,
					campaign_id: body.campaign ?? null,
					longurl: body.url,
					title: body.metatitle ?? '',
					description: body.description ?? '',
					settings: JSON.stringify(settingsFrom(body)),
					date: context.now(),
				});
				putInChannel(call, created);
				return created;
			});
			const short = addresses.shortUrl(context, call.own('urls', id, 'Link'));
			return { id, shorturl: short };
		},
	}),
	action({
		method: 'PUT',
		path: '/url/:id/update',
		body: updateBody,
		run(call) {
			const { store, context, body } = call;
			const url = call.own('urls', call.id(), 'Link');
			const domain_id = checkReferences(call);
			if (body.custom !== undefined) refuseTaken(call, body.custom, url.id);
			store.transaction(() => {
				store.update('urls', url.id, {
					alias: body.custom,
					domain_id: body.domain === undefined ? undefined : domain_id,
					campaign_id: body.campaign,
					longurl: body.url,
					title: body.metatitle,
					description: body.description,
					settings: JSON.stringify({ ...settingsOf(url), ...settingsFrom(body) }),
				});
				putInChannel(call, url.id);
			});
			const short = addresses.shortUrl(context, call.own('urls', url.id, 'Link'));
			return { id: url.id, [context.isReal ? 'shorturl' : 'short']: short };
		},
	}),
	action({
		method: 'DELETE',
		path: '/url/:id/delete',
		run(call) {
			const { id } = call.own('urls', call.id(), 'Link');
			call.store.transaction(() => {
				removeFromChannels(call.context, 'links', id);
				removeVisits(call.context, 'urls', id);
				call.store.remove('urls', { id });
			});
			return { message: 'Link has been deleted successfully.' };
		},
	}),
];

function record(context: LinkContext, url: UrlRow): object {
	const { id, alias, longurl, title, description, clicks, date } = url;
	const shorturl = addresses.shortUrl(context, url);
	return {
		id,
		alias,
		shorturl,
		longurl,
		title,
		description,
		clicks,
		date,
		...(context.isReal && newerFields(context, url, shorturl)),
	};
}

/** A single link. */
function details({ context }: Call, url: UrlRow): object {
	if (!context.isReal && !context.differs('link-details')) return record(context, url);
	const { geotarget = [], devicetarget = [], expiry, type } = settingsOf(url);
	const linkOf = (rules: Array<[string, string]>): object =>
		Object.fromEntries(rules.map(([label, link]) => [label.toLowerCase(), link]));
	const overlay = type?.startsWith('overlay-') ? Number(type.slice('overlay-'.length)) : null;
	return {
		...record(context, url),
		location: linkOf(geotarget.map(({ location, link }) => [location, link])),
		device: linkOf(devicetarget.map(({ device, link }) => [device, link])),
		expiry: expiry || null,
		cta: overlay,
		overlay,
	};
}

function newerFields({ store }: LinkContext, url: UrlRow, shorturl: string): object {
	const campaign = url.campaign_id === null ? undefined : store.find('campaigns', { id: url.campaign_id });
	const items = store.list('channel_items', { where: { type: 'links', item_id: url.id } });
	return {
		uniqueclicks: url.unique_clicks,
		domain: new URL(shorturl).origin,
		campaign: campaign?.name ?? null,
		channel: items.map((item) => ({
			id: item.channel_id,
			name: store.find('channels', { id: item.channel_id })?.name,
		})),
	};
}

/** Finds a link by short URL; ignores the other parameters. */
function lookUp({ store, account, context }: Call, short: string) {
	const alias = short.slice(short.lastIndexOf('/') + 1);
	const url = store.find('urls', { account_id: account.id, alias });
	const rows = url !== undefined && addresses.shortUrl(context, url) === short ? [url] : [];
	return { rows, total: rows.length };
}

function searchOf({ query, account, context }: Call): Search<UrlRow> {
	const { q, order } = query;
	if (order !== undefined && order !== '' && order !== 'date' && order !== 'click') {
		throw invalid('The parameter order must be date or click.');
	}
	const searched = typeof q === 'string' && q !== '' && !context.isReal;
	return {
		where: { account_id: account.id },
		text: searched ? { contains: q, in: ['alias', 'longurl', 'title', 'description'] } : undefined,
		order: order === 'click' ? 'clicks' : 'date',
	};
}

/** Settings for the database: the password as a hash; an empty password removes it. */
function settingsFrom(body: WrittenUrl): object {
	if (body.password === undefined) return settingsIn(body);
	return {
		...settingsIn(body),
		passwordHash: body.password === '' ? undefined : hashPassword(body.password),
	};
}

/** Rejects a body with ids of unknown records. @returns the branded domain's id */
function checkReferences(call: Call<WrittenUrl>): number | null {
	const { body, context } = call;
	if (body.expiry !== undefined && parseTimestamp(body.expiry) <= context.clock.now()) {
		throw invalid('The field expiry must be in the future.');
	}
	const [, overlay] = /^overlay-(\d+)$/.exec(body.type ?? '') ?? [];
	if (overlay !== undefined) call.own('overlays', Number(overlay), 'CTA overlay');
	if (/^\d+$/.test(body.type ?? '')) call.own('splash', Number(body.type), 'Custom splash page');
	if (body.channel !== undefined) call.own('channels', body.channel, 'Channel');
	if (body.campaign !== undefined) call.own('campaigns', body.campaign, 'Campaign');
	for (const pixel of body.pixels ?? []) call.own('pixels', pixel, 'Pixel');
	return domainId(call);
}

/** The id of the branded domain; null for the service's own domain. */
function domainId({ body, store, account, context }: Call<WrittenUrl>): number | null {
	const { domain } = body;
	if (domain === undefined || domain === '' || domain === context.baseUrl) return null;
	const address = domain.replace(/\/+$/, '').toLowerCase();
	const row = store.find('domains', { account_id: account.id, domain: address });
	if (row === undefined) throw invalid(`The domain ${domain} is not one of your branded domains.`);
	return row.id;
}

function refuseTaken({ store }: Call<unknown>, alias: string, id?: number): void {
	const holder = store.find('urls', { alias });
	if (holder !== undefined && holder.id !== id) throw conflict('That alias');
}

function putInChannel({ store, context, body }: Call<WrittenUrl>, id: number): void {
	if (body.channel === undefined) return;
	const item = { channel_id: body.channel, type: 'links', item_id: id } as const;
	if (store.find('channel_items', item) === undefined) {
		store.insert('channel_items', { ...item, date: context.now() });
	}
}
