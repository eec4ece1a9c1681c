import type { Events } from '../../runtime/poll/event';
import {
	newCampaign,
	newChannel,
	newChannelItem,
	newDomain,
	newPixel,
	newQrCode,
	newShortLink,
} from './newRecords';
import { newQrScan, newShortLinkClick } from './scansAndClicks';

/** Everything that the Link Manager Trigger can wait for. */
export const events = {
	newQrScan,
	newCampaign,
	newChannel,
	newChannelItem,
	newDomain,
	newPixel,
	newQrCode,
	newShortLink,
	newShortLinkClick,
} satisfies Events;
