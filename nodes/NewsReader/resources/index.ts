import { apiRequest } from '../../runtime/table/custom-request';
import type { Table } from '../../runtime/table/operation';
import { bringsSecrets } from '../fields/formats';
import { account } from './account';
import { autoMarkRead } from './auto-mark-read';
import { classifier } from './classifier';
import { comment } from './comment';
import { feed } from './feed';
import { folder } from './folder';
import { notification } from './notification';
import { profile } from './profile';
import { river } from './river';
import { savedSearch } from './saved-search';
import { savedStory } from './saved-story';
import { share } from './share';
import { story } from './story';
import { subscriptionList } from './subscription-list';
import { user } from './user';

/** Every operation of the news reader service, by resource: the most used first, as n8n lists its actions. */
export const table = {
	story,
	savedStory,
	feed,
	share,
	river,
	folder,
	savedSearch,
	classifier,
	comment,
	user,
	profile,
	notification,
	autoMarkRead,
	subscriptionList,
	apiRequest: apiRequest('/reader/feeds', bringsSecrets.params),
	account,
} satisfies Table;
