import { toText } from '../../runtime/values';
import {
	aMoment,
	anInteger,
	aPastMoment,
	aText,
	extended,
	listOf,
	mapOf,
	optional,
	record,
} from '../../runtime/table/record';
import type { Output } from '../../runtime/table/operation';
import { lastSegment } from '../model/addresses';
import { aReference, written } from '../outputs';

/** Updates return the short URL as `short` or `shorturl` (seen in the wild). */
export const linkRecord = record(
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
export const detailedLink = extended(linkRecord, {
	location: optional(mapOf(aText)),
	device: optional(mapOf(aText)),
	expiry: optional(aMoment),
	cta: optional(anInteger),
	overlay: optional(anInteger),
});

const { select: selectLink, ...writtenRecord } = written(linkRecord);
/**
 * A created or updated link. The request has other names for target, alias and title. A response without a domain and an
 * alias has them in its short URL.
 */
export const writtenLink: Output = {
	...writtenRecord,
	select: (response, path) => {
		const link = selectLink(response, path) as Record<string, unknown> | undefined;
		return link && { ...partsOfShortUrl(link.shorturl ?? link.short), ...link };
	},
	fromBody: ({ url, custom, metatitle, description, domain }) => ({
		longUrl: url,
		alias: custom,
		title: metatitle,
		description,
		domain,
	}),
	fromForm: ({ campaign: chosenCampaign, channel: chosenChannel }) => ({
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
