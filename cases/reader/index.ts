/** The cases of the news reader, by the groups of its interface document. */
import type { Endpoint } from '../endpoint.ts';
import { feedCases, feedOperationsNotTried, feedSteps } from './feeds.ts';
import { socialCases, socialOperationsNotTried, socialSteps } from './social.ts';
import { storyCases, storyOperationsNotTried, storySteps } from './stories.ts';
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
