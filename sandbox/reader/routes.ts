import { accountRoutes } from './accounts/routes.ts';
import { feedListRoutes, faviconsRoute } from './feeds/listRoutes.ts';
import { feedPageRoutes } from './feeds/pageRoutes.ts';
import { searchRoutes } from './feeds/searches.ts';
import type { Route } from './http/route.ts';
import type { Reader } from './reader.ts';
import { feedStoryRoutes } from './stories/feedRoutes.ts';
import { hashRoutes } from './stories/hashRoutes.ts';
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
	];
}
