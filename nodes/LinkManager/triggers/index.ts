import type { Events } from '../../runtime/table/event';
import {
	newCampaign,
	newChannel,
	newChannelItem,
	newDomain,
	newPixel,
	newQrCode,
	newShortLink,
} from './new-records';
import { newQrScan, newShortLinkClick } from './scans-and-clicks';

/** Everything that the Link Manager Trigger can wait for. The first event is the form's default: keep it first. */
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
