/** The cases of the news reader, by the groups of its interface document. */
import type { Endpoint } from '../endpoint.ts';
import { makeThree, type Fixtures } from '../fixture.ts';
import { feedCases, feedFixtures, feedOperationsNotTried, feedSteps } from './feeds.ts';
import { fixtureAccount, type ReaderLogin } from './fixture-account.ts';
import { newerFixtures } from './newer.ts';
import { socialCases, socialFixtures, socialOperationsNotTried, socialSteps } from './social.ts';
import { storyCases, storyFixtures, storyOperationsNotTried, storySteps } from './stories.ts';
import type { ReaderCase } from './vocabulary.ts';

export const readerCases: ReaderCase[] = [...storyCases, ...feedCases, ...socialCases];
export const readerSteps = [...feedSteps, ...storySteps, ...socialSteps];
export const readerOperationsNotTried = [
	...feedOperationsNotTried,
	...storyOperationsNotTried,
	...socialOperationsNotTried,
];

export interface ReaderEndpoint extends Pick<Endpoint, 'path' | 'query' | 'body'> {
	method: 'GET' | 'POST';
	/** The parameter that identifies this call, if the document has two calls with one path. */
	by?: string;
}

export function endpointOf({ call, fields = {} }: ReaderCase): ReaderEndpoint {
	const [method, path = '', , by] = call.split(' ');
	return method === 'GET' ? { method, path, by, query: fields } : { method: 'POST', path, by, body: fields };
}

export async function readerFixtures(reader: ReaderLogin, friend: ReaderLogin): Promise<Fixtures> {
	const account = await fixtureAccount(reader, friend);
	const { feedIds, stories, friendId, newFolders } = account;
	return {
		makers: {
			feedId: () => Promise.resolve(feedIds),
			feedIds: () => Promise.resolve(feedIds.map((id) => [id])),
			folder: newFolders,
			storyHash: () => Promise.resolve(stories.map(({ story_hash: hash }) => hash)),
			storyId: () => Promise.resolve(stories.map(({ id }) => id)),
			userId: () => makeThree(() => friendId),
		},
		values: {
			...feedFixtures(account),
			...storyFixtures(account),
			...socialFixtures(account),
			...newerFixtures(account),
		},
	};
}
