import { addresses } from './public-addresses.ts';
import type { LinkContext } from './context.ts';
import type { Call } from './link-route.ts';
import { dayOf } from './timestamps.ts';
import { settingsOf, type ChannelItemRow, type ChannelItemType } from './tables.ts';

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
export function findItem(call: Call, type: ChannelItemType, id: number): { id: number } {
	return call.own(kinds[type].table, id, kinds[type].noun);
}

/** Removes a deleted record from its channels. */
export function removeFromChannels({ store }: LinkContext, type: ChannelItemType, id: number): void {
	store.remove('channel_items', { type, item_id: id });
}

/** An entry of a channel in the contract's format. */
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
