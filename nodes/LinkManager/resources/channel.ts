import { dependent } from '../../runtime/fields/compound';
import { required } from '../../runtime/fields/field';
import { color, flag, text, requiredChoice } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, aText, record } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { bioPageId, channelId, linkId, qrCodeId } from '../fields';
import { confirmed, deleted, existingByName, listedByName, pages, updated, written } from '../outputs';
import { toText } from '../../runtime/values';

const channelRecord = record({
	id: anInteger.described('ID of the channel'),
	name: aText.described('Name of the channel'),
	description: aText.described('Description of the channel'),
	color: aText.described('Color of the badge'),
	starred: aBoolean.described('Whether the channel is starred'),
});

const channelItem = record({
	id: anInteger.described('ID of the item'),
	title: aText.described('Title of the item'),
	link: aText.described('URL of the item'),
	type: aText.described('Kind of the item: links, bio or qr'),
	preview: aText.described('URL of a preview of the item'),
	date: aText.described('When the item was created'),
});

export const itemKey = ({ type, id, link, ...others }: Record<string, unknown>): string =>
	`${toText(type)}-${toText(id || link || others)}`;

const channelName = text('Name', {
	example: 'Newsletter',
	description: 'The name of the channel in your account',
});
const channelFields = {
	description: text('Description', {
		example: 'Links of the weekly newsletter',
		description: 'What the channel is for',
	}),
	color: color('Color', 'hex', { description: 'The color of the badge' }),
	starred: flag('Starred', 'the channel is starred'),
};

const itemType = requiredChoice(
	'Item Type',
	{ bio: 'Bio Page', links: 'Link', qr: 'QR Code' },
	{ paramName: 'itemType', default: 'links', description: 'What to put into the channel' },
);

export const channel = resource(
	'Channel',
	{ description: 'Collections of links, bio pages and QR codes', listing: listedByName },
	{
		assignItem: operation('POST /api/channel/{channelId}/assign/{type}/{itemId}', {
			action: 'Assign an item to a channel',
			description: 'Put a link, bio page or QR code into a channel',
			path: {
				channelId,
				type: itemType,
				itemId: dependent(itemType, { links: linkId, bio: bioPageId, qr: qrCodeId }, 'the item'),
			},
			output: confirmed({
				channelId: anInteger.described('ID of the channel'),
				type: aText.described('Kind of the item: links, bio or qr'),
				itemId: anInteger.described('ID of the item'),
			}),
		}),
		create: operation('POST /api/channel/add', {
			description: 'Create a channel',
			body: { name: required(channelName), ...channelFields },
			existing: existingByName,
			output: written(channelRecord),
		}),
		delete: operation('DELETE /api/channel/{id}/delete', {
			description: 'Delete a channel; its items stay',
			path: { id: channelId },
			output: deleted,
		}),
		getAll: operation('GET /api/channels', {
			description: 'List the channels',
			paging: pages('channels'),
			output: listedRecord(channelRecord),
		}),
		getItems: operation('GET /api/channel/{id}', {
			action: 'Get the items of a channel',
			description: 'List the links, bio pages and QR codes of a channel',
			path: { id: channelId },
			paging: pages('items', itemKey),
			output: listedRecord(channelItem),
		}),
		update: operation('PUT /api/channel/{id}/update', {
			description: 'Change a channel’s name, description, color or star',
			idempotent: true,
			path: { id: channelId },
			body: { name: channelName, ...channelFields },
			output: updated(channelRecord),
		}),
	},
);
