import type { LinkContext } from './context.ts';
import type { QrRow, UrlRow, VisitRow } from './tables.ts';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Bowser from 'bowser';

type VisitKind = VisitRow['kind'];

/** The labels that a visit is counted by: country, city, referrer, browser, system. */
interface Visit {
	/** Identifies the visitor. */
	visitor: string;
	country: string;
	referrer: string;
	browser: string;
	os: string;
}

/** Counts a visit of a short link or a scan of a QR code. */
export function countVisit(
	context: LinkContext,
	kind: VisitKind,
	target: QrRow | UrlRow,
	visit: Visit,
): void {
	const { store } = context;
	store.transaction(() => {
		const known = store.find('visits', { kind, target_id: target.id, visitor: visit.visitor });
		store.insert('visits', { kind, target_id: target.id, ...visit, date: context.now() });
		store.update(kind, target.id, {
			clicks: target.clicks + 1,
			unique_clicks: target.unique_clicks + (known === undefined ? 1 : 0),
		});
	});
}

export function removeVisits({ store }: LinkContext, kind: VisitKind, id: number): void {
	store.remove('visits', { kind, target_id: id });
}

const networks = {
	facebook: /(^|\.)(facebook\.com|fb\.com|fb\.me)$/,
	twitter: /(^|\.)(twitter\.com|x\.com|t\.co)$/,
	instagram: /(^|\.)instagram\.com$/,
};

/** The interface document's statistics object of a QR code or short link. */
export function statistics(context: LinkContext, kind: VisitKind, target: QrRow | UrlRow): object {
	const { store } = context;
	const tally = (column: 'country' | 'referrer' | 'browser' | 'os') =>
		store.tally('visits', column, { kind, target_id: target.id });
	const top = (column: 'country' | 'referrer' | 'browser' | 'os') =>
		Object.fromEntries(tally(column).map(({ value, count }) => [value, String(count)]));
	const referrers = tally('referrer');
	const from = (network: RegExp) =>
		referrers.reduce((sum, { value, count }) => sum + (network.test(hostOf(value)) ? count : 0), 0);
	return {
		clicks: target.clicks,
		uniqueClicks: target.unique_clicks,
		topCountries: top('country'),
		topReferrers: top('referrer'),
		topBrowsers: top('browser'),
		topOs: top('os'),
		socialCount: {
			facebook: from(networks.facebook),
			twitter: from(networks.twitter),
			instagram: from(networks.instagram),
		},
	};
}

function hostOf(referrer: string): string {
	return URL.canParse(referrer) ? new URL(referrer).hostname : '';
}

const unknown = 'Unknown';
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The labels of a visit. The country is in `CF-IPCountry` or `X-Country`, which a proxy adds. */
export function readVisit(headers: IncomingHttpHeaders, address: string): Visit {
	const agent = headers['user-agent'] ?? '';
	const { browser, os } = Bowser.parse(agent === '' ? 'none' : agent);
	const sender = first(headers['x-forwarded-for'])?.split(',')[0]?.trim() ?? address;
	return {
		visitor: createHash('sha256').update(`${sender}\n${agent}`).digest('base64url'),
		country: countryName(first(headers['cf-ipcountry']) ?? first(headers['x-country']) ?? ''),
		referrer: referrerOf(headers.referer),
		browser: browser.name || unknown,
		os: os.name || unknown,
	};
}

/** The English name of a country, by name or two-letter code. */
function countryName(country: string): string {
	const isCode = /^[a-z]{2}$/i.test(country);
	return (isCode ? regionNames.of(country.toUpperCase()) : country.trim()) || unknown;
}

function referrerOf(referrer: string | undefined): string {
	return referrer !== undefined && URL.canParse(referrer) ? new URL(referrer).origin : 'Direct';
}

function first(header: string | string[] | undefined): string | undefined {
	return Array.isArray(header) ? header[0] : header;
}
