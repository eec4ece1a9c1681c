/** The limits of what a trigger remembers of a list of story hashes. */
import { allKnownBut, compareHashes } from '../../nodes/NewsReader/triggers/hash-comparison';
import {
	advanceHashes,
	HashSet,
	NO_KNOWN_STORIES,
	type HashEvent,
} from '../../nodes/NewsReader/triggers/hash-cursor';

const list = { emitsReturned: true };
const hashOf = (number: number): string => `1:${number.toString(16).padStart(6, '0')}`;
const returned = (number: number): HashEvent => ({ feed: '1', hash: hashOf(number), returnCount: 1 });

it.each([
	[20_000, undefined],
	[20_001, 1],
])('doubts a list if more than 20,000 stories leave it at once: %i', (count, doubtedPolls) => {
	const entries = Array.from({ length: count }, (_, number) => ({ hash: hashOf(number), at: 0 }));
	const known = allKnownBut(new Map([['1', entries]]), [], list);
	expect(compareHashes(known, new Map(), list).cursor.doubtedPolls).toBe(doubtedPolls);
});

it('counts the returns of the last 500 stories', () => {
	const events = Array.from({ length: 501 }, (_, number) => returned(number));
	const counted = Object.keys(advanceHashes(NO_KNOWN_STORIES, events).returnCounts);
	expect(counted).toEqual(events.slice(1).map(({ hash }) => hash));
});

it.each([
	[4, { unreadable: { [hashOf(7)]: 4 } }],
	[5, { unreadable: {}, present: { 1: expect.any(String) as string } }],
])('knows a story that was not readable in five polls: %i', (unreadable, cursor) => {
	const event = { ...returned(7), returnCount: 0, unreadable };
	expect(advanceHashes(NO_KNOWN_STORIES, [event])).toEqual({ ...NO_KNOWN_STORIES, ...cursor });
});

it('saves five bytes of the SHA-256 of an unusual hash', () => {
	const set = HashSet.of('');
	set.add('x');
	expect(set.pack()).toBe('5LXEWQrc=');
});
