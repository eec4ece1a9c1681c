import { byVersion } from '../runtime/fields/compound';
import { required, type Field, type FieldOptions } from '../runtime/fields/field';
import { fixedCollection, ids, text } from '../runtime/fields/kinds';
import { locator } from '../runtime/fields/locator';
import { scalarText } from '../runtime/values';
import { toCountry, toLanguage } from './model/targets';

/** The records that operations refer to, each chosen from the list of its resource. */
const domain = locator('Domain', {
	resource: 'domain',
	url: 'https://go.example.com',
	description: 'The branded domain of short links, by its name or its ID',
	parameter: 'domainId',
});
export const campaign = locator('Campaign', {
	resource: 'campaign',
	url: 'https://links.example.com/u/me/spring-7',
	description: 'The campaign, a group of short links, by its name, its ID or the address of its list',
	parameter: 'campaignId',
});
export const channel = locator('Channel', {
	resource: 'channel',
	parameter: 'channelId',
	description: 'The channel, a collection of links, bio pages and QR codes, by its name or its ID',
});
const pixel = locator('Pixel', {
	resource: 'pixel',
	parameter: 'pixelId',
	description: 'The tracking tag (of Google, Facebook or another), by its name or its ID',
});
const qrCode = locator('QR Code', {
	resource: 'qrCode',
	url: 'https://links.example.com/qr/a1b2c',
	description: 'The code by its name, its ID or the address that it leads to',
	parameter: 'qrCodeId',
});
const link = locator('Short Link', {
	resource: 'shortLink',
	url: 'https://links.example.com/spring',
	description: 'The link by its alias, its ID or its short URL',
	parameter: 'linkId',
});
/** Bio pages have no list in the interface. */
const bioPage = locator('Bio Page', {
	parameter: 'bioPageId',
	description: 'The page by its ID; the service has no list of them',
});

export const ctaOverlay = locator('CTA Overlay', {
	resource: 'ctaOverlay',
	parameter: 'overlayId',
	description: 'A call to action (CTA) that is shown over the target',
});
export const customSplash = locator('Custom Splash', {
	resource: 'customSplash',
	parameter: 'splashId',
	description: 'A page of yours that visitors see before the target',
});

export const pixelIds = ids('Pixel Names or IDs', 'pixel', {
	description: 'Tracking tags that count its visitors',
});

/** The same as parts of a path. */
export const domainId = required(domain);
export const campaignId = required(campaign);
export const channelId = required(channel);
export const pixelId = required(pixel);
export const qrCodeId = required(qrCode);
export const linkId = required(link);
export const bioPageId = required(bioPage);

const elsewhere = required(
	text('Target URL', { example: 'https://example.com/other', description: 'Where those visitors are led' }),
);

/** From version 1.1 on a list to choose from, or a name that is known; in version 1 whatever is written. */
const target = (
	label: string,
	resource: string,
	id: (raw: unknown) => string | undefined,
	options: FieldOptions & { idName: string },
): Field<string> => {
	const listed = locator<string>(label, { ...options, resource, id, idExample: options.example });
	return required(byVersion(text(label, options), listed));
};

/** Where a link leads some visitors. */
export const targeting = {
	devicetarget: fixedCollection(
		'Device Targeting',
		'Device',
		{
			device: target('Device', 'device', scalarText, {
				idName: 'Device Name',
				example: 'iPhone',
				description: 'What visitors use; hosts may know others',
			}),
			link: elsewhere,
		},
		{ description: 'Other targets for some devices' },
	),
	geotarget: fixedCollection(
		'Country Targeting',
		'Country',
		{
			location: target('Country', 'country', toCountry, {
				idName: 'Country Name',
				example: 'Canada',
				description: 'Where visitors are, by its English name',
			}),
			link: elsewhere,
		},
		{ description: 'Other targets for some countries' },
	),
	languagetarget: fixedCollection(
		'Language Targeting',
		'Language',
		{
			language: target('Language', 'language', toLanguage, {
				idName: 'Language Code',
				example: 'fr',
				description: 'What visitors’ browsers prefer, by its code of two letters',
			}),
			link: elsewhere,
		},
		{ description: 'Other targets for some languages' },
	),
};
