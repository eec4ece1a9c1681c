import { apiRequest } from '../../runtime/table/custom-request';
import type { Table } from '../../runtime/table/operation';
import { account } from './account';
import { campaign } from './campaign';
import { channel } from './channel';
import { domain } from './domain';
import { ctaOverlay, customSplash } from './interstitials';
import { pixel } from './pixel';
import { qrCode } from './qr-code';
import { shortLink } from './short-link';

/** Every operation of the link management service, by resource: the most used first, as n8n lists its actions. */
export const table = {
	shortLink,
	qrCode,
	campaign,
	channel,
	domain,
	pixel,
	ctaOverlay,
	customSplash,
	apiRequest: apiRequest('/api/plans'),
	account,
} satisfies Table;
