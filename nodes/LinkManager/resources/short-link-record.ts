import {
	anInteger,
	aMoment,
	aText,
	extended,
	listOf,
	mapOf,
	optional,
	record,
} from '../../runtime/table/record';
import type { Output } from '../../runtime/table/operation';
import { partsOfShortUrl } from '../model/addresses';
import { aReference, written } from '../outputs';

/** Updates return the short URL as `short` or `shorturl` (seen in the wild). */
export const linkRecord = record(
	{
		id: anInteger.described('ID of the link'),
		shortUrl: aText.described('The short URL'),
		title: aText.described('Title of the link'),
		longUrl: aText.described('Target of the link'),
		alias: aText.described('Last part of the short URL'),
		description: aText.described('Description of the link'),
		clicks: anInteger.described('Number of clicks'),
		uniqueClicks: optional(anInteger).described('Number of different visitors'),
		date: aMoment.described('When the link was created'),
		domain: optional(aText).described('Branded domain'),
		campaign: optional(aReference).described('Campaign of the link'),
		channel: optional(listOf(aReference)).described('Channels of the link'),
	},
	{ shortUrl: ['shorturl', 'short'], longUrl: ['longurl'], uniqueClicks: ['uniqueclicks'] },
);

/** Get returns more than a list (seen in the wild): targets for countries and devices, and the overlay. */
export const detailedLink = extended(linkRecord, {
	location: optional(mapOf(aText)).described('Other targets by country'),
	device: optional(mapOf(aText)).described('Other targets by device'),
	expiry: optional(aMoment).described('When the link stops working'),
	cta: optional(anInteger).described('ID of the call to action'),
	overlay: optional(anInteger).described('ID of the overlay'),
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
	fromBody: ({ url, custom, metatitle, description, domain, campaign, channel }) => ({
		longUrl: url,
		alias: custom,
		title: metatitle,
		description,
		domain,
		...(campaign !== undefined && { campaign: { id: campaign } }),
		...(channel !== undefined && { channel: [{ id: channel }] }),
	}),
};
