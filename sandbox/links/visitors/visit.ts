import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Bowser from 'bowser';
import type { Visit } from '../visits.ts';

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
