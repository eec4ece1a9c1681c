/** Clusters of similar stories: which story is emitted, and for how long the others are skipped. */
import type { IDataObject } from 'n8n-workflow';
import { responseWith } from '../support/responses';
import { clock } from '../../nodes/runtime/clock';
import {
	advanceGroups,
	bestOf,
	emittedDays,
	groupsOf,
	today,
	type NewStory,
	type StoryGroup,
} from '../../nodes/NewsReader/triggers/story-items';

const DAY_MS = 24 * 3_600_000;

const storyOf = (hash: string, similar: string[] = [], score?: number): NewStory => ({
	event: { feed: hash.split(':')[0]!, hash, returnCount: 0 },
	story: {
		story_hash: hash,
		score,
		cluster_stories: similar.map((story_hash) => ({ story_hash })),
	} as IDataObject,
	response: responseWith({}),
});
const hashesIn = (stories: NewStory[]): string[][] =>
	groupsOf(stories).map(({ members }) => members.map(({ event }) => event.hash));

afterEach(() => jest.restoreAllMocks());

it.each([
	[
		'named by one of them',
		[storyOf('1:a', ['2:b']), storyOf('3:c'), storyOf('2:b')],
		[['1:a', '2:b'], ['3:c']],
	],
	['that name the same old one', [storyOf('1:a', ['9:z']), storyOf('2:b', ['9:z'])], [['1:a', '2:b']]],
	[
		'joined by a third',
		[storyOf('1:a'), storyOf('2:b'), storyOf('3:c', ['1:a', '2:b'])],
		[['1:a', '2:b', '3:c']],
	],
])('contain stories %s', (_, stories, groups) => {
	expect(hashesIn(stories)).toEqual(groups);
});

it.each([
	['the highest score', [-1, 1, 0], 1],
	['the first of equal scores', [0, 1, 1], 1],
	['the first where the service sends no scores', [undefined, undefined, undefined], 0],
])('emit the story with %s', (_, scores, index) => {
	const stories = scores.map((score, n) => storyOf(`${n}:a`, ['9:z'], score));
	expect(bestOf(groupsOf(stories)[0]!)).toBe(stories[index]);
});

it('are skipped for 14 days after the first story, however many stories join', () => {
	const start = Date.UTC(2030, 0, 1);
	let now = start;
	jest.spyOn(clock, 'now').mockImplementation(() => now);
	let emittedGroups: ReturnType<typeof advanceGroups>;
	const isEmitted = (hash: string, similar: string[]): boolean => {
		const [{ hashes }] = groupsOf([storyOf(hash, similar)]) as [StoryGroup];
		const days = emittedDays(emittedGroups);
		const day = hashes.map((one) => days.get(one)).find((on) => on !== undefined);
		const event = { ...storyOf(hash).event, group: { day: day ?? today(), hashes } };
		emittedGroups = advanceGroups(emittedGroups, [event]);
		return day === undefined;
	};
	expect(isEmitted('1:a', [])).toBe(true);
	now = start + 7 * DAY_MS;
	expect(isEmitted('2:b', ['1:a'])).toBe(false);
	now = start + 14 * DAY_MS - 1;
	expect(isEmitted('3:c', ['2:b'])).toBe(false);
	now = start + 14 * DAY_MS;
	expect(isEmitted('4:d', ['3:c'])).toBe(true);
	expect(isEmitted('5:e', ['4:d'])).toBe(false);
	expect(emittedDays(emittedGroups).get('1:a')).toBeUndefined();
});
