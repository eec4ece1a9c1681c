import { required } from '../runtime/fields/field';
import { ids } from '../runtime/fields/kinds';
import { locator } from '../runtime/fields/locator';

/** The records that operations refer to, each chosen from the list of its resource. */
const domain = locator('Domain', {
	resource: 'domain',
	url: 'https://go.example.com',
	parameter: 'domainId',
});
export const campaign = locator('Campaign', {
	resource: 'campaign',
	url: 'https://links.example.com/u/me/spring-7',
	parameter: 'campaignId',
});
export const channel = locator('Channel', { resource: 'channel', parameter: 'channelId' });
const pixel = locator('Pixel', { resource: 'pixel', parameter: 'pixelId' });
const qrCode = locator('QR Code', {
	resource: 'qrCode',
	url: 'https://links.example.com/qr/a1b2c',
	parameter: 'qrCodeId',
});
const link = locator('Short Link', {
	resource: 'shortLink',
	url: 'https://links.example.com/spring',
	parameter: 'linkId',
});
/** Bio pages have no list in the interface. */
const bioPage = locator('Bio Page', { parameter: 'bioPageId' });

export const ctaOverlay = locator('CTA Overlay', { resource: 'ctaOverlay', parameter: 'overlayId' });
export const customSplash = locator('Custom Splash', { resource: 'customSplash', parameter: 'splashId' });

export const pixelIds = ids('Pixel Names or IDs', 'pixel');

/** The same as parts of a path. */
export const domainId = required(domain);
export const campaignId = required(campaign);
export const channelId = required(channel);
export const pixelId = required(pixel);
export const qrCodeId = required(qrCode);
export const linkId = required(link);
export const bioPageId = required(bioPage);
