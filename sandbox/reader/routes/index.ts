import { accountRoutes, preferenceRoutes, notificationRoutes } from './account-routes.ts';
import { classifierRoutes, newerClassifierRoutes } from './classifier-routes.ts';
import { addRoutes, opmlRoutes } from './add-feed-routes.ts';
import { feedListRoutes, faviconsRoute } from './feed-list-routes.ts';
import { feedPageRoutes } from './feed-page-routes.ts';
import { eventRoutes, profileRoutes, peopleRoutes } from './profile-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { folderRoutes } from './folder-routes.ts';
import type { Route } from '../http/reader-route.ts';
import { newerFeedRoutes } from './newer-feed-routes.ts';
import { starredTagRoutes, starredRoutes } from './starred-routes.ts';
import type { Reader } from '../reader.ts';
import { shareFeedRoutes } from './share-feed-routes.ts';
import { shareRoutes } from './share-routes.ts';
import { feedStoryRoutes } from './story-routes.ts';
import { hashRoutes } from './hash-routes.ts';
import { readingRoutes } from './reading-routes.ts';

/** All endpoints of the service except OAuth. */
export function readerRoutes(reader: Reader): Route[] {
	const hasFavicons = !reader.isReal || reader.differs('favicons-route');
	return [
		...accountRoutes,
		...feedListRoutes,
		...(hasFavicons ? [faviconsRoute] : []),
		...feedPageRoutes,
		...feedStoryRoutes,
		...hashRoutes,
		...readingRoutes,
		...starredRoutes,
		...searchRoutes,
		...addRoutes,
		...folderRoutes,
		...classifierRoutes,
		...opmlRoutes,
		...profileRoutes,
		...peopleRoutes,
		...eventRoutes,
		...shareRoutes,
		...shareFeedRoutes,
		...notificationRoutes,
		...(reader.is2026
			? [...newerFeedRoutes, ...newerClassifierRoutes, ...starredTagRoutes, ...preferenceRoutes]
			: []),
	];
}
