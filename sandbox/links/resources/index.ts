import { ownList, type Route } from '../link-route.ts';
import { accountRoutes } from './account.ts';
import { campaignRoutes } from './campaigns.ts';
import { channelRoutes } from './channels.ts';
import { domainRoutes } from './domains.ts';
import { pixelRoutes } from './pixels.ts';
import { qrRoutes } from './qrs.ts';
import { urlRoutes } from './urls.ts';

/** Records that the API lists but cannot create: CTA overlays and custom splash pages. */
const presetRoutes = [
	ownList({
		path: '/overlay',
		collection: 'cta',
		table: 'overlays',
		present: ({ id, type, name, date }) => ({ id, type, name, date }),
	}),
	ownList({
		path: '/splash',
		collection: 'splash',
		table: 'splash',
		present: ({ id, name, date }) => ({ id, name, date }),
	}),
];

/** Every endpoint of the API. */
export const routes: readonly Route[] = [
	...accountRoutes,
	...domainRoutes,
	...presetRoutes,
	...campaignRoutes,
	...channelRoutes,
	...pixelRoutes,
	...qrRoutes,
	...urlRoutes,
];
