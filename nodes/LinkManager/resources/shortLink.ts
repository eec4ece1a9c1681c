import { required, type Form, type Values } from '../../runtime/fields/field';
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
} from '../../runtime/table/record';
import type { Paging } from '../../runtime/table/listing';
import { operation, resource, type Output } from '../../runtime/table/operation';
import { campaign, channel, ctaOverlay, customSplash, linkId, pixelIds, targeting } from '../fields';
import { listedRecord } from '../../runtime/table/outputs';
import { deleted, pages, written } from '../outputs';
import { withStatistics } from '../statistics';

/** Updates answer the address as `short` or `shorturl` (seen in the wild). */
const linkRecord = record(
	{
		id: anInteger,
		alias: aText,
		shorturl: aText,
		longurl: aText,
		title: aText,
		description: aText,
		clicks: anInteger,
		uniqueclicks: optional(anInteger),
		date: aPastMoment,
		domain: optional(aText),
		campaign: optional(aText),
		channel: optional(listOf(record({ id: anInteger, name: aText }))),
	},
	{ shorturl: ['short'] },
);

/** What a link by itself carries besides (seen in the wild): where it leads some countries and devices, its overlay. */
const detailedLink = record({
	...linkRecord.members,
	location: optional(mapOf(aText)),
	device: optional(mapOf(aText)),
	expiry: optional(aMoment),
	cta: optional(anInteger),
	overlay: optional(anInteger),
});

/** A link that was written: its target, alias and title have other names in the request. */
const writtenLink: Output = {
	...written(linkRecord),
	sent: ({ url, custom, metatitle, description, domain }) => ({
		longurl: url,
		alias: custom,
		title: metatitle,
		description,
		domain,
	}),
};

const target = text('Target URL', {
	example: 'https://example.com/article',
	description: 'Where the link leads',
});
/** What both creating and updating take besides the target. */
const details = {
	campaign,
	channel,
	custom: text('Alias', {
		example: 'spring',
		description: 'The last part of the short URL, 3 to 49 characters',
	}),
	...targeting,
	deeplink: json('Deep Link (JSON)', {
		description: 'Addresses that open an app instead of the target, as the service takes them',
		accepts: isRecord,
		expected: 'an object',
	}),
	description: text('Description', {
		example: 'Shown in your list',
		description: 'A note on the link, for your own list',
	}),
	domain: text('Domain', {
		example: 'https://go.example.com',
		description: 'The branded domain, with http:// or https://',
	}),
	expiry: dateTime('Expiry', { description: 'When the link stops working; must be in the future' }),
	metadescription: text('Meta Description', {
		example: 'What a shared link says',
		description: 'The text below the title where the link is shared',
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
			name: required(text('Name', { example: 'ref', description: 'What stands before the equals sign' })),
			value: text('Value', { example: 'newsletter', description: 'What stands after it' }),
		},
		{ description: 'Query parameters added to the target; those without a value are left out' },
	),
	password: text('Password', { hidden: true, description: 'What visitors must enter' }),
	pixels: { ...pixelIds, parameter: 'pixelIds' },
	status: choice(
		'Status',
		{ private: 'Private', public: 'Public' },
		{ default: 'public', description: 'Whether the link shows in public lists of the service' },
	),
	type: choice(
		'Redirect Type',
		{
			direct: { name: 'Direct', description: 'Straight to the target' },
			frame: { name: 'Frame', description: 'The target stands in a page of the short address' },
			splash: { name: 'Splash', description: 'A page of the service comes before the target' },
		},
		{ parameter: 'redirectType', description: 'How visitors reach the target' },
	),
};

const utm = {
	utmCampaign: text('UTM Campaign', {
		example: 'spring',
		description: 'Which promotion the visit comes from',
	}),
	utmContent: text('UTM Content', { example: 'header', description: 'Which of several links was clicked' }),
	utmMedium: text('UTM Medium', {
		example: 'email',
		description: 'By which kind of channel the visit comes',
	}),
	utmSource: text('UTM Source', { example: 'newsletter', description: 'Where the visit comes from' }),
	utmTerm: text('UTM Term', { example: 'shoes', description: 'Which paid keyword led to it' }),
};

/** What becomes part of another field, or is no field of the interface document at all. */
const extras = {
	...utm,
	ctaOverlay,
	customSplash,
	otherFields: json('Other Fields (JSON)', {
		description: 'Fields that your service knows and this form does not, as an object',
		accepts: isRecord,
		expected: 'an object',
	}),
};

type Extras = Partial<Values<typeof extras>>;

type LinkBody = Record<string, unknown> & { parameters?: Array<{ value?: string }>; type?: string };

/** UTM tags travel as parameters, and overlays and splash pages as types. */
function linkBody(
	{ body: { parameters: typed, ...body }, form }: { body: LinkBody; form: Extras },
	refuse: Form['refuse'],
): { body: Record<string, unknown> } {
	const tags = Object.keys(utm).flatMap((name) => {
		const value = form[name as keyof typeof utm];
		return value === undefined
			? []
			: [{ name: name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`), value }];
	});
	const parameters = [...(typed ?? []).filter(({ value }) => value !== undefined), ...tags];
	const types = [
		body.type,
		form.customSplash !== undefined && String(form.customSplash),
		form.ctaOverlay !== undefined && `overlay-${form.ctaOverlay}`,
	].filter(Boolean);
	if (types.length > 1) {
		throw refuse(
			'Redirect Type',
			'is set more than once',
			'Choose one of Redirect Type, Custom Splash and CTA Overlay',
		);
	}
	return {
		body: {
			...body,
			...(parameters.length > 0 && { parameters }),
			...(types.length > 0 && { type: types[0] }),
			...form.otherFields,
		},
	};
}

/** The same target however it is spelled: hosts add a slash after the host name. */
const address = (url: unknown): string | undefined => {
	const written = toText(url ?? '').trim();
	if (written === '') return undefined;
	return URL.canParse(written) ? new URL(written).href : written;
};

/** What to search a target by: a host is stored with or without the slash after its name. */
const searchable = (url: unknown): string => toText(url).replace(/^(https?:\/\/[^/?#]+)\/$/i, '$1');

/** Pages of links. Asked for one short URL, hosts answer the link itself (seen in the wild). */
const listedLinks = pages('urls');
const linkPages: Paging = {
	...listedLinks,
	read: (answer, ...rest) => {
		const { json } = answer;
		if (isRecord(json) && isRecord(json.details)) return { records: [json.details], more: false };
		return listedLinks.read(answer, ...rest);
	},
};

export const shortLink = resource(
	'Short Link',
	{
		description: 'Short addresses that lead to long ones and count their clicks',
		listing: {
			list: 'getAll',
			label: (entry) => `${toText(entry.alias ?? entry.shorturl)} (${toText(entry.title || entry.longurl)})`,
			url: (entry) => entry.shorturl,
			findByUrl: (url) => ({ short: url }),
			search: (filter) => ({ q: filter }),
		},
	},
	{
		create: operation('POST /api/url/add', {
			name: 'Create',
			action: 'Create a short link',
			description: 'Shorten a URL, with an alias, campaign, channel, UTM tags or targeting if you like',
			body: { url: required(target), ...details },
			form: extras,
			prepare: linkBody,
			existing: {
				sameness: 'with the same target URL',
				wanted: (body) => address(body.url),
				present: (entry) => address(entry.longurl),
				search: (body) => ({ q: searchable(body.url) }),
				// The link of an alias may get another target.
				update: {
					sameness: 'with the same alias, or with the same target URL where none is given',
					wanted: ({ custom, url }) => (custom === undefined ? address(url) : `alias ${toText(custom)}`),
					present: (entry, { custom } = {}) =>
						custom === undefined ? address(entry.longurl) : `alias ${toText(entry.alias)}`,
					search: ({ custom, url }) => ({ q: custom ?? searchable(url) }),
				},
				conflicting: ({ custom, url }) =>
					custom === undefined
						? undefined
						: {
								search: { q: custom },
								matches: (entry) => entry.alias === custom && address(entry.longurl) === address(url),
							},
			},
			output: writtenLink,
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
				order: choice(
					'Order By',
					{ click: 'Clicks', date: 'Date' },
					{ default: 'date', description: 'Most clicked first, or newest first' },
				),
				q: text('Search', { example: 'spring', description: 'A keyword to look for' }),
				short: text('Short URL', {
					example: 'https://links.example.com/spring',
					description: 'The one link to find',
				}),
			},
			paging: linkPages,
			output: listedRecord(linkRecord),
		}),
		update: operation('PUT /api/url/{id}/update', {
			name: 'Update',
			action: 'Update a short link',
			description: 'Change a short link’s target or any of its settings',
			idempotent: true,
			path: { id: linkId },
			body: { url: target, ...details },
			form: extras,
			prepare: linkBody,
			output: writtenLink,
		}),
	},
);
