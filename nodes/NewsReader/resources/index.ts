import { apiRequest } from '../../runtime/execute/apiRequest';
import type { Table } from '../../runtime/table/operation';
import { bringsSecrets } from '../fields/formats';
import { account } from './account';
import { classifier } from './classifier';
import { comment } from './comment';
import { feed } from './feed';
import { folder } from './folder';
import { profile } from './profile';
import { river } from './river';
import { savedSearch } from './savedSearch';
import { savedStory } from './savedStory';
import { share } from './share';
import { story } from './story';
import { subscriptionList } from './subscriptionList';
import { user } from './user';

/** Every operation of the news reader service, by resource. */
export const table = {
	story,
	savedStory,
	river,
	feed,
	folder,
	account,
	classifier,
	comment,
	profile,
	savedSearch,
	share,
	subscriptionList,
	user,
	apiRequest: apiRequest('/reader/feeds', bringsSecrets.offers),
} satisfies Table;
