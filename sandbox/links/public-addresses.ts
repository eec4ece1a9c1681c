import type { BioRow, CampaignRow, QrRow, UrlRow } from './tables.ts';
import type { LinkContext } from './context.ts';

/** The public URLs of an account's records. */
export const addresses = {
	shortUrl({ store, baseUrl }: LinkContext, url: UrlRow): string {
		const domain = url.domain_id === null ? undefined : store.find('domains', { id: url.domain_id });
		return domain === undefined ? `${baseUrl}/s/${url.alias}` : `${domain.domain}/${url.alias}`;
	},
	qrLink: ({ baseUrl }: LinkContext, qr: QrRow) => `${baseUrl}/qr/${qr.code}`,
	/** The URL in the image of a QR code. */
	qrScanned: (context: LinkContext, qr: QrRow) =>
		context.differs('image-link') ? `${context.baseUrl}/q/${qr.code}` : addresses.qrLink(context, qr),
	qrImage: ({ baseUrl }: LinkContext, qr: QrRow, format: 'png' | 'svg') =>
		`${baseUrl}/qr/${qr.code}/image.${format}`,
	bioPage: ({ baseUrl }: LinkContext, bio: BioRow) => `${baseUrl}/b/${bio.slug}`,
	rotator: ({ baseUrl }: LinkContext, campaign: CampaignRow) =>
		campaign.slug === null ? undefined : `${baseUrl}/r/${campaign.slug}`,
	campaignList: ({ baseUrl }: LinkContext, username: string, campaign: CampaignRow) =>
		`${baseUrl}/u/${encodeURIComponent(username)}/${slugOf(campaign.slug ?? campaign.name)}-${campaign.id}`,
	avatar: ({ baseUrl }: LinkContext) => `${baseUrl}/assets/avatar.png`,
	asset: ({ baseUrl }: LinkContext, name: string) => `${baseUrl}/assets/${name}`,
};

/** Converts a text to a short slug of lower-case letters, digits and hyphens. */
export function slugOf(text: string): string {
	const slug = text
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.slice(0, 60)
		.replace(/^-|-$/g, '');
	return slug === '' ? 'campaign' : slug;
}
