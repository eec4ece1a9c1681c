import type { Route } from '../link-route.ts';
import { accountRoutes } from './account.ts';
import { campaignRoutes } from './campaigns.ts';
import { channelRoutes } from './channels.ts';
import { domainRoutes } from './domains.ts';
import { pixelRoutes } from './pixels.ts';
import { presetRoutes } from './presets.ts';
import { qrRoutes } from './qrs.ts';
import { urlRoutes } from './urls.ts';

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
