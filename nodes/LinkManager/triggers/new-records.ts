import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../runtime/table/operation';
import { AdditionWatch, type AdditionOptions } from './additions';
import { event } from '../../runtime/table/event';
import { campaign } from '../resources/campaign';
import { channel } from '../resources/channel';
import { domain } from '../resources/domain';
import { channelId } from '../fields';
import { pixel } from '../resources/pixel';
import { qrCode } from '../resources/qr-code';
import { shortLink } from '../resources/short-link';
import { lastSegment } from '../model/addresses';
import { toKey } from './known-records';

const added = (name: string, description: string, row: Operation, options: Omit<AdditionOptions, 'row'>) =>
	event({
		name,
		description,
		fields: {},
		watch: () => new AdditionWatch({ row, ...options }),
		output: () => row.output.schema,
	});

export const newCampaign = added('New Campaign', 'When a campaign is created', campaign.operations.getAll, {
	idPrefix: 'campaign',
});

export const newChannel = added('New Channel', 'When a channel is created', channel.operations.getAll, {
	idPrefix: 'channel',
});

export const newDomain = added('New Domain', 'When a branded domain is added', domain.operations.getAll, {
	idPrefix: 'domain',
});

export const newPixel = added('New Pixel', 'When a tracking tag (pixel) is added', pixel.operations.getAll, {
	idPrefix: 'pixel',
});

export const newQrCode = added('New QR Code', 'When a QR code is created', qrCode.operations.getAll, {
	idPrefix: 'qrCode',
	identifiers: ({ link, date }) => [lastSegment(link), date],
});

export const newShortLink = added(
	'New Short Link',
	'When a short link is created',
	shortLink.operations.getAll,
	{
		idPrefix: 'shortLink',
		identifiers: ({ shortUrl, date }) => [lastSegment(shortUrl), date],
	},
);

const itemKey = ({ type, id }: IDataObject): string => `${toKey(type)}-${toKey(id)}`;

export const newChannelItem = event({
	name: 'New Channel Item',
	description: 'When a link, bio page or QR code is put into a channel',
	fields: { id: channelId },
	watchKey: ({ id }) => id,
	watch: ({ id }) =>
		new AdditionWatch({
			row: channel.operations.getItems,
			parts: { path: { id } },
			idPrefix: `channel:${id}:item`,
			key: itemKey,
			increasingId: () => undefined,
		}),
	output: () => channel.operations.getItems.output.schema,
});
