import { apiRequest } from '../../runtime/execute/apiRequest';
import type { Table } from '../../runtime/table/operation';
import { account } from './account';
import { campaign } from './campaign';
import { channel } from './channel';
import { ctaOverlay } from './ctaOverlay';
import { customSplash } from './customSplash';
import { domain } from './domain';
import { pixel } from './pixel';
import { qrCode } from './qrCode';
import { shortLink } from './shortLink';

/** Every operation of the link management service, by resource. */
export const table = {
	shortLink,
	account,
	campaign,
	channel,
	ctaOverlay,
	customSplash,
	domain,
	pixel,
	qrCode,
	apiRequest: apiRequest('/api/plans'),
} satisfies Table;
