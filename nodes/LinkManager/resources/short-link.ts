import { advanced, required, type Values } from '../../runtime/fields/field';
import { locator, withName } from '../../runtime/fields/locator';
import { dateTime } from '../../runtime/fields/dates';
import { choice, fixedCollection, json, text } from '../../runtime/fields/kinds';
import { isRecord, toText } from '../../runtime/values';
import {
	anInteger,
	aText,
	listOf,
	mapOf,
	optional,
	record,
	aPastMoment,
	aMoment,
	extended,
} from '../../runtime/table/record';
import type { Paging } from '../../runtime/table/listing';
import { operation, resource, type Api, type Output, listedRecord } from '../../runtime/table/operation';
import {
	campaignPicker,
	channelPicker,
	linkId,
	overlayPicker,
	pixelIds,
	splashPicker,
	targeting,
} from '../fields';
import { lastSegment, withScheme } from '../model/addresses';
import { aReference, created, deleted, pages, written } from '../outputs';
import { countsIn, withStatistics } from '../statistics';

/** Updates return the short URL as `short` or `shorturl` (seen in the wild). */
const linkRecord = record(
	{
		title: aText,
		shortUrl: aText,
		longUrl: aText,
		alias: aText,
		description: aText,
		clicks: anInteger,
		uniqueClicks: optional(anInteger),
		date: aPastMoment,
		domain: optional(aText),
		campaign: optional(aReference),
		channel: optional(listOf(aReference)),
		id: anInteger,
	},
	{ shortUrl: ['shorturl', 'short'], longUrl: ['longurl'], uniqueClicks: ['uniqueclicks'] },
);

/** Get returns more than a list (seen in the wild): targets for countries and devices, and the overlay. */
const detailedLink = extended(linkRecord, {
	location: optional(mapOf(aText)),
	device: optional(mapOf(aText)),
	expiry: optional(aMoment),
	cta: optional(anInteger),
	overlay: optional(anInteger),
});

const { select: selectLink, ...writtenRecord } = written(linkRecord);
/** A created or updated link. The request has other names for target, alias and title. The short URL holds its domain and alias. */
const writtenLink: Output = {
	...writtenRecord,
	select: (response, path) => {
		const link = selectLink(response, path) as Record<string, unknown> | undefined;
		return link && { ...partsOfShortUrl(link.shorturl ?? link.short), ...link };
	},
	sent: ({ url, custom, metatitle, description, domain }) => ({
		longUrl: url,
		alias: custom,
		title: metatitle,
		description,
		domain,
	}),
	implied: ({ campaign: chosenCampaign, channel: chosenChannel }) => ({
		...(chosenCampaign !== undefined && { campaign: chosenCampaign }),
		...(chosenChannel !== undefined && { channel: [chosenChannel] }),
	}),
};

/** The domain and the alias of a short URL. */
function partsOfShortUrl(shortUrl: unknown): { domain?: string; alias?: string } {
	const text = toText(shortUrl ?? '');
	const alias = URL.canParse(text) ? lastSegment(shortUrl) : '';
	return alias === '' ? {} : { domain: new URL(text).origin, alias };
}

const target = text('Target URL', {
	example: 'https://example.com/article',
	description: 'Where the link leads',
});
/** Fields of both Create and Update. */
const linkFields = {
	campaign: withName(campaignPicker),
	channel: withName(channelPicker),
	custom: text('Alias', {
		example: 'spring',
		description: 'The last part of the short URL, 3 to 49 characters',
	}),
	...targeting,
	deeplink: json('Deep Link (JSON)', {
		description: 'Addresses that open an app instead of the target, in the service’s format',
		accepts: isRecord,
		expected: 'an object',
	}),
	description: text('Description', {
		example: 'Shown in your list',
		description: 'A note on the link, shown in your own list',
	}),
	domain: locator<string>('Domain', {
		resource: 'domainName',
		id: withScheme,
		idName: 'Name',
		idExample: 'https://go.example.com',
		description: 'The branded domain of the short URL',
	}),
	expiry: dateTime('Expiry', { description: 'When the link stops working; must be in the future' }),
	metadescription: text('Meta Description', {
		example: 'What a shared link says',
		description: 'The text below the title of a shared link',
	}),
	metaimage: text('Meta Image', {
		example: 'https://example.com/card.png',
		description: 'URL of the image that a shared link shows',
	}),
	metatitle: text('Meta Title', {
		example: 'Our spring offer',
		description: 'The title that a shared link shows',
	}),
	parameters: fixedCollection(
		'Parameters',
		'Parameter',
		{
			name: required(text('Name', { example: 'ref', description: 'Name of the query parameter' })),
			value: text('Value', { example: 'newsletter', description: 'Value of the query parameter' }),
		},
		{ description: 'Query parameters added to the target; those without a value are left out' },
	),
	password: text('Password', { hidden: true, description: 'Visitors must enter this password' }),
	pixels: { ...pixelIds, paramName: 'pixelIds' },
	status: choice(
		'Status',
		{ private: 'Private', public: 'Public' },
		{ default: 'public', description: 'Whether the link is shown in public lists of the service' },
	),
	type: choice(
		'Redirect Type',
		{
			direct: { name: 'Direct', description: 'Straight to the target' },
			frame: { name: 'Frame', description: 'The target is shown in a frame under the short URL' },
			splash: { name: 'Splash', description: 'A page of the service is shown before the target' },
		},
		{ paramName: 'redirectType', description: 'How visitors reach the target' },
	),
};

const utm = {
	utmCampaign: text('UTM Campaign', {
		example: 'spring',
		description: 'The promotion, such as spring_sale',
	}),
	utmContent: text('UTM Content', {
		example: 'header',
		description: 'Distinguishes links to the same target',
	}),
	utmMedium: text('UTM Medium', {
		example: 'email',
		description: 'The kind of channel, such as email or social',
	}),
	utmSource: text('UTM Source', {
		example: 'newsletter',
		description: 'The source of the visit, such as newsletter',
	}),
	utmTerm: text('UTM Term', { example: 'shoes', description: 'The paid search keyword' }),
};

/** Parameters that become part of another field, or that the interface document does not have. */
const extras = {
	...utm,
	ctaOverlay: overlayPicker,
	customSplash: splashPicker,
	otherFields: json('Other Fields (JSON)', {
		description: 'Other fields that your host supports, as an object',
		accepts: isRecord,
		expected: 'an object',
	}),
};

type Extras = Partial<Values<typeof extras>>;

type Chosen = { id: number } | undefined;
type LinkBody = Record<string, unknown> & {
	parameters?: Array<{ value?: string }>;
	type?: string;
	campaign?: Chosen;
	channel?: Chosen;
};

/** UTM tags as URL parameters: `utmSource` becomes `utm_source`. */
const utmParameters = (params: Extras): Array<{ name: string; value: string }> =>
	Object.keys(utm).flatMap((name) => {
		const value = params[name as keyof typeof utm];
		if (value === undefined) return [];
		return [{ name: name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`), value }];
	});

/** The redirect type, which is also how overlays and splash pages are sent. Throws if several are set. */
function redirectType({ type }: LinkBody, params: Extras, api: Api): string | undefined {
	const types = [
		type,
		params.customSplash !== undefined && String(params.customSplash),
		params.ctaOverlay !== undefined && `overlay-${params.ctaOverlay}`,
	].flatMap((chosen) => (chosen ? [chosen] : []));
	if (types.length > 1) {
		throw api.parameterError(
			'Redirect Type',
			'is set more than once',
			'Choose one of Redirect Type, Custom Splash and CTA Overlay',
		);
	}
	return types[0];
}

/** The body: UTM tags are sent as parameters, overlays and splash pages as types. */
function linkBody(
	{ body, params }: { body: LinkBody; params: Extras },
	api: Api,
): { body: Record<string, unknown> } {
	const { parameters: typed = [], campaign: inCampaign, channel: inChannel, ...others } = body;
	const type = redirectType(body, params, api);
	const parameters = [...typed.filter(({ value }) => value !== undefined), ...utmParameters(params)];
	return {
		body: {
			...others,
			...(inCampaign && { campaign: inCampaign.id }),
			...(inChannel && { channel: inChannel.id }),
			...(parameters.length > 0 && { parameters }),
			...(type && { type }),
			...params.otherFields,
		},
	};
}

/** A target in a form to compare by: hosts add a slash after the host name. */
const urlKey = (url: unknown): string | undefined => {
	const written = toText(url ?? '').trim();
	if (written === '') return undefined;
	return URL.canParse(written) ? new URL(written).href : written;
};

/** The search text for a target: hosts store a bare host name with or without a slash. */
const searchable = (url: unknown): string => toText(url).replace(/^(https?:\/\/[^/?#]+)\/$/i, '$1');

/** Pages of links. A look-up by short URL returns the link as `details` and its clicks as `data` (seen in the wild). */
const listedLinks = pages('urls');
const linkPages: Paging = {
	...listedLinks,
	read: (response, ...rest) => {
		const { json } = response;
		if (isRecord(json) && isRecord(json.details)) {
			return { records: [{ ...countsIn(json.data), ...json.details }], more: false };
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
				`${toText(entry.title || entry.description || entry.longUrl)} (${toText(entry.alias ?? entry.shortUrl)})`,
			url: (entry) => entry.shortUrl,
			// Without its scheme, the service does not know a short URL.
			findByUrl: (url) => (withScheme(url) === url ? { short: url } : { q: lastSegment(url) }),
			search: (filter) => ({ q: filter }),
		},
	},
	{
		create: operation('POST /api/url/add', {
			name: 'Create',
			action: 'Create a short link',
			description: 'Shorten a URL, optionally with alias, campaign, channel, UTM tags or targeting',
			body: { url: required(target), ...linkFields },
			params: extras,
			prepare: linkBody,
			existing: {
				matchedBy: 'with the same target URL',
				keyOfInput: (body) => urlKey(body.url),
				keyOfRecord: (entry) => urlKey(entry.longUrl),
				search: (body) => ({ q: searchable(body.url) }),
				// Update Existing can give the link with this alias another target.
				update: {
					matchedBy: 'with the same alias, or the same target URL if no alias is given',
					keyOfInput: ({ custom, url }) => (custom === undefined ? urlKey(url) : `alias ${toText(custom)}`),
					keyOfRecord: (entry, { custom } = {}) =>
						custom === undefined ? urlKey(entry.longUrl) : `alias ${toText(entry.alias)}`,
					search: ({ custom, url }) => ({ q: custom ?? searchable(url) }),
				},
				onConflict: ({ custom, url }) =>
					custom === undefined
						? undefined
						: {
								search: { q: custom },
								matches: (entry) => entry.alias === custom && urlKey(entry.longUrl) === urlKey(url),
							},
			},
			output: created(writtenLink, { clicks: 0, uniqueClicks: 0, channel: [] }),
		}),
		delete: operation('DELETE /api/url/{id}/delete', {
			name: 'Delete',
			action: 'Delete a short link for good',
			description: 'Delete a short link, which then leads nowhere',
			path: { id: linkId },
			output: deleted,
		}),
		get: operation('GET /api/url/{id}', {
			name: 'Get',
			action: 'Get a short link',
			description: 'Get a short link with the statistics of its clicks',
			path: { id: linkId },
			...withStatistics(detailedLink),
		}),
		getAll: operation('GET /api/urls', {
			name: 'Get Many',
			action: 'Get many short links',
			description: 'List the short links, or find one by its short URL or a keyword',
			query: {
				order: advanced(
					choice(
						'Order By',
						{ click: 'Clicks', date: 'Date' },
						{ default: 'date', description: 'Most clicked first, or newest first' },
					),
				),
				q: text('Search', { example: 'spring', description: 'A keyword to look for' }),
				short: text('Short URL', {
					example: 'https://links.example.com/spring',
					description: 'Find the link with this short URL',
				}),
			},
			prepare: ({ query }) => ({ query: { ...query, short: withScheme(query.short) } }),
			paging: linkPages,
			output: listedRecord(linkRecord),
		}),
		update: operation('PUT /api/url/{id}/update', {
			name: 'Update',
			action: 'Update a short link',
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
