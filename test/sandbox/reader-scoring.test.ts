import { intelligenceOf, type Classifier } from '../../sandbox/reader/classifiers/scoring.ts';

/** Computes scores from classifiers. */

const story = {
	...{ title: 'Ten Small Tools', authors: 'Ada Example, Grace Other', tags: ['CLI', 'tools'] },
	...{ content: '<p>Plain words</p>', link: 'https://weekly.example/ten' },
};
const like = (kind: Classifier['kind'], value: string): Classifier => ({ kind, value, score: 1 });
const dislike = (kind: Classifier['kind'], value: string): Classifier => ({ kind, value, score: -1 });

test('intelligence lists the kinds separately', () => {
	expect(intelligenceOf(story, [like('tag', 'cli'), dislike('title', 'ten'), like('feed', '42')])).toEqual({
		feed: 1,
		author: 0,
		tags: 1,
		title: -1,
	});
});
