import { accountDifferences } from './differences/account-differences.ts';
import { feedDifferences } from './differences/feed-differences.ts';
import { limitDifferences } from './differences/limit-differences.ts';
import { peopleDifferences } from './differences/people-differences.ts';
import { recordDifferences } from './differences/record-differences.ts';
import { storyDifferences } from './differences/story-differences.ts';

/**
 * Differences of reader service hosts from the contract. The variant `wild` responds like the service's public code of
 * July 2024, `2026` like that of autumn 2026. Behavior of other hosts is marked `elsewhere`.
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
