import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Bowser from 'bowser';
import type { Visit } from '../visits.ts';

/** A visitor of a short link or QR code, according to the request headers. */
export interface Visitor {
	visit: Visit;
	/** English name and code of the preferred language, in lower case. */
	languages: readonly string[];
	/** The names that rules use for the device (`iphone`, `mobile`, `ios`, …), in lower case. */
	devices: readonly string[];
	/** Whether a social network requests a preview; such visits are not counted. */
	isPreview: boolean;
}

const unknown = 'Unknown';
const previewAgents =
	/facebookexternalhit|twitterbot|linkedinbot|slackbot|discordbot|telegrambot|whatsapp|pinterestbot/i;
const regionNames = new Intl.DisplayNames('en', { type: 'region' });
const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** Parses the headers of a request. The country is in `CF-IPCountry` or `X-Country`, which a proxy adds. */
export function readVisitor(headers: IncomingHttpHeaders, address: string): Visitor {
	const agent = headers['user-agent'] ?? '';
	const { browser, os, platform } = Bowser.parse(agent === '' ? 'none' : agent);
	const forwarded = first(headers['x-forwarded-for'])?.split(',')[0]?.trim();
	return {
		visit: {
			visitor: createHash('sha256')
				.update(`${forwarded ?? address}\n${agent}`)
				.digest('base64url'),
			country: countryName(first(headers['cf-ipcountry']) ?? first(headers['x-country']) ?? ''),
			referrer: referrerOf(headers.referer),
			browser: browser.name || unknown,
			os: os.name || unknown,
		},
		languages: languagesOf(headers['accept-language'] ?? ''),
		devices: [platform.model, platform.type, platform.vendor, os.name, browser.name]
			.filter((label) => label !== undefined)
			.map((label) => label.toLowerCase()),
		isPreview: previewAgents.test(agent),
	};
}

/** The English name of a country, by name or two-letter code. */
function countryName(country: string): string {
	const text = country.trim();
	if (!/^[a-z]{2}$/i.test(text)) return /^[\p{L}][\p{L}\p{M} .,'’()-]+$/u.test(text) ? text : unknown;
	const name = regionNames.of(text.toUpperCase());
	return name === undefined || name === text.toUpperCase() || name === 'Unknown Region' ? unknown : name;
}

/** A country's name without case, accents and punctuation, to compare spellings. */
export const plainCountry = (country: string): string =>
	countryName(country)
		.normalize('NFD')
		.replace(/\p{M}| SAR China| \(.*\)/gu, '')
		.replace(/&/g, 'and')
		.toLowerCase();

function referrerOf(referrer: string | undefined): string {
	return referrer !== undefined && URL.canParse(referrer) ? new URL(referrer).origin : 'Direct';
}

/** The code and the name of the visitor's preferred language. */
function languagesOf(acceptLanguage: string): string[] {
	const [preferred] = acceptLanguage
		.split(',')
		.map((entry) => {
			const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
			const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
			return { tag, quality: quality === undefined ? 1 : Number(quality) };
		})
		.filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(tag) && quality > 0)
		.sort((a, b) => b.quality - a.quality);
	if (preferred === undefined) return [];
	const code = preferred.tag.split('-')[0]?.toLowerCase() ?? '';
	return [preferred.tag.toLowerCase(), code, languageNames.of(code)?.toLowerCase() ?? code];
}

function first(header: string | string[] | undefined): string | undefined {
	return Array.isArray(header) ? header[0] : header;
}
