import { accountRoutes } from './accounts/routes.ts';
import { classifierRoutes } from './classifiers/routes.ts';
import { addRoutes } from './feeds/addRoutes.ts';
import { feedListRoutes, faviconsRoute } from './feeds/listRoutes.ts';
import { feedPageRoutes } from './feeds/pageRoutes.ts';
import { searchRoutes } from './feeds/searches.ts';
import { folderRoutes } from './folders/routes.ts';
import type { Route } from './http/route.ts';
import { opmlRoutes } from './opml/routes.ts';
import type { Reader } from './reader.ts';
import { shareFeedRoutes } from './social/feedRoutes.ts';
import { profileRoutes } from './social/profileRoutes.ts';
import { shareRoutes } from './social/shareRoutes.ts';
import { feedStoryRoutes } from './stories/feedRoutes.ts';
import { hashRoutes } from './stories/hashRoutes.ts';
import { privateFeedRoutes } from './stories/privateFeeds.ts';
import { readingRoutes } from './stories/readingRoutes.ts';
import { starredRoutes } from './stories/starredRoutes.ts';

/** Every endpoint of the service but those of OAuth. */
export function readerRoutes(reader: Reader): Route[] {
	return [
		...accountRoutes,
		...feedListRoutes,
		...(reader.differs('no-favicons-route') ? [] : [faviconsRoute]),
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
		...shareRoutes,
		...shareFeedRoutes,
		...privateFeedRoutes,
	];
}
