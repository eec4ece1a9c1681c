import { accountRoutes } from './accounts.ts';
import { classifierRoutes } from './classifiers.ts';
import { addRoutes } from './addFeeds.ts';
import { actionRoutes } from './actions.ts';
import { feedListRoutes, faviconsRoute } from './feedLists.ts';
import { feedPageRoutes } from './feedPages.ts';
import { eventRoutes } from './events.ts';
import { searchRoutes } from './searches.ts';
import { folderRoutes } from './folders.ts';
import type { Route } from '../http/route.ts';
import { ownClientRoutes } from './ownClients.ts';
import { opmlRoutes } from './opml.ts';
import { peopleRoutes } from './people.ts';
import type { Reader } from '../reader.ts';
import { shareFeedRoutes } from './shareFeeds.ts';
import { profileRoutes } from './profiles.ts';
import { shareRoutes } from './shares.ts';
import { triggerRoutes } from './triggers.ts';
import { feedStoryRoutes } from './stories.ts';
import { hashRoutes } from './hashes.ts';
import { privateFeedRoutes, savedSearchFeedRoute } from './privateFeeds.ts';
import { readingRoutes } from './reading.ts';
import { starredRoutes } from './starred.ts';

/** Every endpoint of the service but those of OAuth. */
export function readerRoutes(reader: Reader): Route[] {
	return [
		...accountRoutes,
		...(reader.differs('own-clients') ? ownClientRoutes : []),
		...(reader.differs('automation') ? [...triggerRoutes, ...actionRoutes] : []),
		...feedListRoutes,
		...(reader.differs('no-favicons-route') ? [] : [faviconsRoute]),
		...feedPageRoutes,
		...feedStoryRoutes,
		...hashRoutes,
		...readingRoutes,
		...starredRoutes,
		...searchRoutes(reader),
		...addRoutes,
		...folderRoutes,
		...classifierRoutes,
		...opmlRoutes,
		...profileRoutes,
		...peopleRoutes,
		...eventRoutes,
		...shareRoutes,
		...shareFeedRoutes,
		...privateFeedRoutes,
		...(reader.differs('searches-open') ? [] : [savedSearchFeedRoute]),
	];
}
