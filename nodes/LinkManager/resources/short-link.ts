import type { Paging } from '../../runtime/api-types';
import { advanced, required } from '../../runtime/fields/field';
import { choice, text } from '../../runtime/fields/kinds';
import { decoded } from '../../runtime/file-names';
import type { Existing, LookUp } from '../../runtime/table/listing';
import { listedRecord, operation, resource } from '../../runtime/table/operation';
import { asRecord, isRecord, quoted, toText, withoutBlanks } from '../../runtime/values';
import { linkId, target } from '../fields';
import {
	domainKey,
	lastSegment,
	otherScheme,
	partsOfShortUrl,
	shortUrlOf,
	targetKey,
	targetSearch,
} from '../model/addresses';
import { created, deleted, pages } from '../outputs';
import { withStatistics } from '../statistics';
import { extras, linkBody, linkFields } from './short-link-body';
import { detailedLink, linkRecord, writtenLink } from './short-link-record';

/** How If Exists recognizes a link: by its alias, which belongs to its domain, or else by its target. */
const existingLink: Existing = {
	matchedBy: 'with the same alias or, if none has it, the same target URL',
	facts: { of: 'shortUrl', read: partsOfShortUrl },
	keysOf: (entry) => {
		const { alias: shown, domain = entry.domain } = partsOfShortUrl(entry.shortUrl);
		const alias = entry.alias || shown;
		const target = `target ${targetKey(entry.longUrl)}`;
		return alias ? [target, aliasKey(alias), aliasKey(alias, domainKey(domain))] : [target];
	},
	// The request calls the alias `custom`.
	lookUps: ({ custom, domain: asked, url }) => [
		...(custom === undefined ? [] : aliasLookUps(custom, asked)),
		...(url === undefined ? [] : [{ key: `target ${targetKey(url)}`, search: targetSearch(url) }]),
	],
};

const aliasKey = (alias: unknown, domain = 'any domain') => {
	const written = toText(alias).trim();
	return `alias ${decoded(written) ?? written} of ${domain}`;
};

function aliasLookUps(alias: unknown, asked: unknown): LookUp[] {
	const search = { q: toText(alias).trim() };
	const named = `short links with the alias ${quoted(alias)}`;
	const several = { above: 1, reason: `Several ${named} exist: choose a Domain` };
	if (asked === undefined) return [{ key: aliasKey(alias), search, refuses: several }];
	const refuses = { above: 0, reason: `The service does not show the domain of ${named}` };
	const withDomain = { key: aliasKey(alias, domainKey(asked)), search };
	return [withDomain, { key: aliasKey(alias, ''), search, refuses }];
}

/** Pages of links. A look-up by short URL returns the link as `details` and its clicks as `data` (seen in the wild). */
const listedLinks = pages('urls');
const linkPages: Paging = {
	...listedLinks,
	// The service compares a short URL with its scheme.
	otherwise: ({ short, ...query }) =>
		typeof short === 'string' ? { ...query, short: otherScheme(short) } : undefined,
	read: (response, ...rest) => {
		const { json } = response;
		if (isRecord(json) && isRecord(json.details)) {
			const { clicks, uniqueClicks } = asRecord(json.data);
			return { records: [{ ...withoutBlanks({ clicks, uniqueClicks }), ...json.details }], more: false };
		}
		return listedLinks.read(response, ...rest);
	},
};

export const shortLink = resource(
	'Short Link',
	{
		description: 'Short addresses that redirect to long ones and count clicks',
		listing: {
			list: 'getAll',
			label: (entry) =>
				`${toText(entry.title || entry.description || entry.longUrl)} (${toText(entry.shortUrl ?? entry.alias).replace(/^https?:\/\//i, '')})`,
			url: (entry) => entry.shortUrl,
			findByUrl: (url) => ({ query: { short: shortUrlOf(url) }, labels: { short: linkId.label } }),
			// The service searches the alias, not the short URL.
			search: (filter) => ({ q: lastSegment(filter) || filter }),
		},
	},
	{
		create: operation('POST /api/url/add', {
			description: 'Shorten a URL, optionally with alias, campaign, channel, UTM tags or targeting',
			body: { url: required(target), ...linkFields },
			params: extras,
			prepare: linkBody,
			existing: existingLink,
			output: created(writtenLink, { clicks: 0, uniqueClicks: 0, channel: [] }),
		}),
		delete: operation('DELETE /api/url/{id}/delete', {
			description: 'Delete a short link, which then leads nowhere',
			path: { id: linkId },
			output: deleted,
		}),
		get: operation('GET /api/url/{id}', {
			description: 'Get a short link with the statistics of its clicks',
			path: { id: linkId },
			...withStatistics(detailedLink, 'clicks'),
		}),
		getAll: operation('GET /api/urls', {
			description: 'List the short links, or find one by its short URL or a keyword',
			query: {
				order: advanced(
					choice(
						'Order By',
						{ click: 'Clicks', date: 'Date' },
						{ default: 'date', description: 'Most clicked first, or newest first' },
					),
				),
				q: text('Search', { example: 'spring', description: 'A keyword to look for; some hosts ignore it' }),
				short: text('Short URL', {
					example: 'https://links.example.com/spring',
					description: 'Find the link with this short URL, whatever Search says; some hosts ignore it',
				}),
			},
			prepare: ({ query }) => ({ query: { ...query, short: shortUrlOf(query.short) } }),
			paging: linkPages,
			output: listedRecord(linkRecord),
		}),
		update: operation('PUT /api/url/{id}/update', {
			description: 'Change a short link’s target or any of its settings',
			idempotent: true,
			path: { id: linkId },
			body: { url: target, ...linkFields },
			params: extras,
			prepare: linkBody,
			output: writtenLink,
		}),
	},
);
