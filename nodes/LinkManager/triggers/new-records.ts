import { event } from '../../runtime/table/event';
import type { Operation, Resource } from '../../runtime/table/operation';
import { toInteger, toText } from '../../runtime/values';
import { channelId } from '../fields';
import { campaign } from '../resources/campaign';
import { channel, itemKey } from '../resources/channel';
import { domain } from '../resources/domain';
import { pixel } from '../resources/pixel';
import { qrCode } from '../resources/qr-code';
import { shortLink } from '../resources/short-link';
import { EntryWatch } from './compared-entries';
import { IdWatch } from './rising-ids';

/** The event for new records of a resource. `idPrefix` begins the event ids. */
const added = (
	{ name, operations: { getAll } }: Resource<{ getAll: Operation }>,
	description: string,
	idPrefix: string,
) =>
	event({
		name: `New ${name}`,
		description,
		fields: {},
		watchKey: () => null,
		watch: () => new IdWatch(getAll, idPrefix),
		output: () => getAll.output.schema,
	});

export const newRecords = {
	newCampaign: added(campaign, 'When a campaign is created', 'campaign'),
	newChannel: added(channel, 'When a channel is created', 'channel'),
	newChannelItem: event({
		name: 'New Channel Item',
		description: 'When a link, bio page or QR code is put into a channel',
		fields: { id: channelId },
		watchKey: ({ id }) => id,
		watch: ({ id }) =>
			new EntryWatch(channel.operations.getItems, `channel:${id}:item`, itemKey, { path: { id } }),
		output: () => channel.operations.getItems.output.schema,
	}),
	newDomain: event({
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
	}),
	newPixel: added(pixel, 'When a tracking tag (pixel) is added', 'pixel'),
	newQrCode: added(qrCode, 'When a QR code is created', 'qrCode'),
	newShortLink: added(shortLink, 'When a short link is created', 'shortLink'),
};
