import { invalid } from '../responses.ts';
import { filledText, flag, object, optional, text, textThat, dayOf } from '../fields.ts';
import { action, list, ownList, type Call } from '../link-route.ts';
import { type ChannelItemType, type ChannelRow, settingsOf, type ChannelItemRow } from '../tables.ts';
import { addresses } from '../public-addresses.ts';
import type { LinkContext } from '../context.ts';

const color = textThat((value) => /^#[0-9a-f]{6}$/i.test(value), 'must be a HEX color of the form #RRGGBB');
const optionalFields = { description: optional(text), color: optional(color), starred: optional(flag) };
const itemTypes: readonly string[] = ['links', 'bio', 'qr'] satisfies ChannelItemType[];
const isItemType = (type: string | undefined): type is ChannelItemType =>
	type !== undefined && itemTypes.includes(type);

export const channelRoutes = [
	ownList({ path: '/channels', collection: 'channels', table: 'channels', present: record }),
	list({
		path: '/channel/:id',
		collection: 'items',
		find(call, slice) {
			const search = { where: { channel_id: call.own('channels', call.id(), 'Channel').id } };
			return {
				rows: call.store.list('channel_items', search, slice),
				total: call.store.count('channel_items', search),
			};
		},
		present: (item, { context }) => channelItem(context, item),
	}),
	action({
		method: 'POST',
		path: '/channel/add',
		body: object({ name: filledText, ...optionalFields }),
		run(call) {
			const { store, account, context, body } = call;
			const id = store.insert('channels', {
				account_id: account.id,
				name: context.storedName(body.name),
				description: body.description ?? '',
				color: body.color ?? '#000000',
				starred: body.starred ? 1 : 0,
			});
			return record(call.own('channels', id, 'Channel'));
		},
	}),
	action({
		method: 'PUT',
		path: '/channel/:id/update',
		body: object({ name: optional(filledText), ...optionalFields }),
		run(call) {
			const { store, context, body } = call;
			const { id } = call.own('channels', call.id(), 'Channel');
			store.update('channels', id, {
				name: body.name === undefined ? undefined : context.storedName(body.name),
				description: body.description,
				color: body.color,
				starred: body.starred === undefined ? undefined : body.starred ? 1 : 0,
			});
			return context.isReal
				? record(call.own('channels', id, 'Channel'))
				: { message: 'Channel has been updated successfully.' };
		},
	}),
	action({
		method: 'DELETE',
		path: '/channel/:id/delete',
		run(call) {
			const { id } = call.own('channels', call.id(), 'Channel');
			call.store.remove('channels', { id });
			return { message: 'Channel has been deleted successfully.' };
		},
	}),
	action({
		method: 'POST',
		path: '/channel/:channelid/assign/:type/:itemid',
		run(call) {
			const { type } = call.params;
			if (!isItemType(type)) throw invalid(`The type in the address must be one of ${itemTypes.join(', ')}.`);
			const channel = call.own('channels', call.id('channelid'), 'Channel');
			const { id } = findItem(call, type, call.id('itemid'));
			const item = { channel_id: channel.id, type, item_id: id };
			if (call.store.find('channel_items', item) === undefined) {
				call.store.insert('channel_items', { ...item, date: call.context.now() });
			}
			return { message: 'Item successfully added to the channel.' };
		},
	}),
];

function record({ id, name, description, color, starred }: ChannelRow): object {
	return { id, name, description, color, starred: starred === 1 };
}

interface Description {
	title: string;
	preview: string;
	link: string;
}

/** The kinds of items in a channel: their tables and their presentation. */
const kinds = {
	links: { table: 'urls', noun: 'Link', describe: describeLink },
	bio: { table: 'bios', noun: 'Bio page', describe: describeBio },
	qr: { table: 'qrs', noun: 'QR code', describe: describeQr },
} as const;

/** Finds the account's record to assign. @throws Failure if it does not exist */
function findItem(call: Call, type: ChannelItemType, id: number): { id: number } {
	return call.own(kinds[type].table, id, kinds[type].noun);
}

/** Removes a deleted record from its channels. */
export function removeFromChannels({ store }: LinkContext, type: ChannelItemType, id: number): void {
	store.remove('channel_items', { type, item_id: id });
}

/** An entry of a channel in the interface document's format. */
export function channelItem(context: LinkContext, item: ChannelItemRow): object {
	return {
		type: item.type,
		id: item.item_id,
		...kinds[item.type].describe(context, item.item_id),
		date: dayOf(item.date),
	};
}

function describeLink(context: LinkContext, id: number): Description | undefined {
	const url = context.store.find('urls', { id });
	if (url === undefined) return undefined;
	return {
		title: url.title,
		preview: settingsOf(url).metaimage ?? addresses.asset(context, 'link.png'),
		link: addresses.shortUrl(context, url),
	};
}

function describeBio(context: LinkContext, id: number): Description | undefined {
	const bio = context.store.find('bios', { id });
	if (bio === undefined) return undefined;
	return {
		title: bio.name,
		preview: addresses.asset(context, 'bio.png'),
		link: addresses.bioPage(context, bio),
	};
}

function describeQr(context: LinkContext, id: number): Description | undefined {
	const qr = context.store.find('qrs', { id });
	if (qr === undefined) return undefined;
	return {
		title: qr.name,
		preview: addresses.qrImage(context, qr, 'png'),
		link: addresses.qrLink(context, qr),
	};
}
