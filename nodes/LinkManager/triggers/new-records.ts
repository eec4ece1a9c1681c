import type { IDataObject } from 'n8n-workflow';
import { event } from '../../runtime/table/event';
import type { Operation } from '../../runtime/table/operation';
import { toInteger, toText } from '../../runtime/values';
import { channelId } from '../fields';
import { campaign } from '../resources/campaign';
import { channel } from '../resources/channel';
import { domain } from '../resources/domain';
import { pixel } from '../resources/pixel';
import { qrCode } from '../resources/qr-code';
import { shortLink } from '../resources/short-link';
import { EntryWatch } from './compared-entries';
import { IdWatch } from './rising-ids';

const added = (name: string, description: string, row: Operation, idPrefix: string) =>
	event({
		name,
		description,
		fields: {},
		watchKey: () => null,
		watch: () => new IdWatch(row, idPrefix),
		output: () => row.output.schema,
	});

export const newCampaign = added(
	'New Campaign',
	'When a campaign is created',
	campaign.operations.getAll,
	'campaign',
);
export const newChannel = added(
	'New Channel',
	'When a channel is created',
	channel.operations.getAll,
	'channel',
);
export const newPixel = added(
	'New Pixel',
	'When a tracking tag (pixel) is added',
	pixel.operations.getAll,
	'pixel',
);
export const newQrCode = added(
	'New QR Code',
	'When a QR code is created',
	qrCode.operations.getAll,
	'qrCode',
);
export const newShortLink = added(
	'New Short Link',
	'When a short link is created',
	shortLink.operations.getAll,
	'shortLink',
);

export const newDomain = event({
	name: 'New Domain',
	description: 'When a branded domain is added',
	fields: {},
	watchKey: () => null,
	// Some hosts list domains without ids.
	watch: () =>
		new EntryWatch(domain.operations.getAll, 'domain', ({ id, domain: name }) =>
			toText(toInteger(id) ?? name),
		),
	output: () => domain.operations.getAll.output.schema,
});

const itemKey = ({ type, id }: IDataObject): string => `${toText(type)}-${toText(id)}`;

export const newChannelItem = event({
	name: 'New Channel Item',
	description: 'When a link, bio page or QR code is put into a channel',
	fields: { id: channelId },
	watchKey: ({ id }) => id,
	watch: ({ id }) =>
		new EntryWatch(channel.operations.getItems, `channel:${id}:item`, itemKey, { path: { id } }),
	output: () => channel.operations.getItems.output.schema,
});
