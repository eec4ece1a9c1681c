import { required, type Field, type FieldOptions } from '../runtime/fields/field';
import { fixedCollection, ids, text } from '../runtime/fields/kinds';
import { locator } from '../runtime/fields/locator';
import { scalarText } from '../runtime/values';
import { withHttps } from './model/addresses';
import { toCountry, toLanguage } from './model/audiences';

// Pickers: fields that choose a record from a list, by ID or by URL.

export const domainId = required(
	locator('Domain', {
		resource: 'domain',
		url: 'https://go.example.com',
		description: 'The branded domain of short links, by its ID or its address',
		paramName: 'domainId',
	}),
);
export const campaignPicker = locator('Campaign', {
	resource: 'campaign',
	url: 'https://links.example.com/u/me/spring-7',
	description: 'The campaign, a group of short links, by its ID or the address of its list',
	paramName: 'campaignId',
});
export const campaignId = required(campaignPicker);
export const channelPicker = locator('Channel', {
	resource: 'channel',
	paramName: 'channelId',
	description: 'The channel, a collection of links, bio pages and QR codes, by its ID',
});
export const channelId = required(channelPicker);
export const pixelId = required(
	locator('Pixel', {
		resource: 'pixel',
		paramName: 'pixelId',
		description: 'The tracking tag (of Google, Facebook or another), by its ID',
	}),
);
export const qrCodeId = required(
	locator('QR Code', {
		resource: 'qrCode',
		url: 'https://links.example.com/qr/a1b2c',
		description: 'The code by its ID or its own address, as Get Many returns it',
		paramName: 'qrCodeId',
	}),
);
export const linkId = required(
	locator('Short Link', {
		resource: 'shortLink',
		url: 'https://links.example.com/spring',
		description: 'The link by its ID or its short URL',
		paramName: 'linkId',
	}),
);
/** The API has no list of bio pages. */
export const bioPageId = required(
	locator('Bio Page', {
		paramName: 'bioPageId',
		description: 'The bio page by its ID; the service can’t list them',
	}),
);

export const overlayPicker = locator('Redirect Through CTA Overlay', {
	resource: 'ctaOverlay',
	paramName: 'overlayId',
	description: 'A call to action (CTA) shown over the target',
});
export const splashPicker = locator('Redirect Through Custom Splash', {
	resource: 'customSplash',
	paramName: 'splashId',
	description: 'Your own page that visitors see before the target',
});

export const pixelIds = ids('Pixels', 'pixel', {
	description: 'Tracking tags that count the link’s visitors; replaces all',
});

/** A URL that visitors are sent to. One that begins with a domain name gets `https://`, as in a browser. */
export const url = (label: string, options: FieldOptions): Field<string | undefined> => {
	const written = text(label, options);
	return { ...written, read: async (reader, name) => withHttps(await written.read(reader, name)) };
};

export const target = url('Target URL', {
	example: 'https://example.com/article',
	description: 'Where the link leads',
});
const otherTarget = required(
	url('Target URL', { example: 'https://example.com/other', description: 'Where to send these visitors' }),
);

/** Chooses visitors by device, country or language: from a list, or by name. */
const audience = (
	label: string,
	resource: string,
	id: (raw: unknown) => string | undefined,
	options: FieldOptions & { idName: string },
): Field<string> =>
	required(locator<string>(label, { ...options, resource, id, idExample: options.example }));

/** Other targets for some visitors; the names of these fields are those of the service. */
export const targeting = {
	devicetarget: fixedCollection(
		'Targeting by Device',
		'Device',
		{
			device: audience('Device', 'device', (raw) => scalarText(raw)?.trim(), {
				idName: 'Device Name',
				example: 'iPhone',
				description: 'The visitor’s device; hosts may support others',
			}),
			link: otherTarget,
		},
		{ description: 'Other targets for some devices; replaces all rules of this kind' },
	),
	geotarget: fixedCollection(
		'Targeting by Country',
		'Country',
		{
			location: audience('Country', 'country', toCountry, {
				idName: 'Country Name',
				example: 'Canada',
				description: 'The visitor’s country, by its English name or code',
			}),
			link: otherTarget,
		},
		{ description: 'Other targets for some countries; replaces all rules of this kind' },
	),
	languagetarget: fixedCollection(
		'Targeting by Language',
		'Language',
		{
			language: audience('Language', 'language', toLanguage, {
				idName: 'Language Code',
				example: 'fr',
				description: 'The language of the visitor’s browser, by name or two-letter code',
			}),
			link: otherTarget,
		},
		{ description: 'Other targets for some languages; replaces all rules of this kind' },
	),
};
