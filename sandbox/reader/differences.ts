import { accountDifferences } from './differences/accounts.ts';
import { feedDifferences } from './differences/feeds.ts';
import { limitDifferences } from './differences/limits.ts';
import { peopleDifferences } from './differences/people.ts';
import { recordDifferences } from './differences/records.ts';
import { storyDifferences } from './differences/stories.ts';

/**
 * How hosts of the news reader service seen in the wild differ from the contract. The variant answers as the service's
 * public code of July 2024 does; what only older or newer hosts do is marked `elsewhere`.
 */
export const readerDifferences = [
	...accountDifferences,
	...recordDifferences,
	...storyDifferences,
	...feedDifferences,
	...peopleDifferences,
	...limitDifferences,
] as const;

export type ReaderDifference = (typeof readerDifferences)[number]['name'];
