import { intelligenceOf, scoreOf, type Classifier } from '../../sandbox/reader/classifiers/scoring.ts';

/** Computes scores from classifiers. */

const story = {
	...{ title: 'Ten Small Tools', authors: 'Ada Example, Grace Other', tags: ['CLI', 'tools'] },
	...{ content: '<p>Plain words</p>', link: 'https://weekly.example/ten' },
};
const like = (kind: Classifier['kind'], value: string): Classifier => ({ kind, value, score: 1 });
const dislike = (kind: Classifier['kind'], value: string): Classifier => ({ kind, value, score: -1 });

test.each<[string, Classifier[], number]>([
	['nothing fits', [like('tag', 'too'), like('author', 'Ada'), like('title', 'large')], 0],
	['part of the title, whatever the case', [like('title', 'small tool')], 1],
	['one of several authors', [dislike('author', 'grace other')], -1],
	['the author line as a whole', [like('author', 'Ada Example, Grace Other')], 1],
	['a tag, whatever the case', [like('tag', 'cli')], 1],
	['a like beats a dislike of the same kind', [like('tag', 'cli'), dislike('tag', 'tools')], 1],
	['a like beats a dislike of another kind', [dislike('title', 'ten'), like('author', 'ada example')], 1],
	['a part of the text, or of the address', [like('text', 'plain'), like('url', 'Weekly')], 1],
	['a like beats a dislike by the text', [dislike('text', 'words'), like('tag', 'cli')], 1],
	['the feed decides when nothing else does', [dislike('feed', '42')], -1],
	['anything else beats the feed', [like('feed', '42'), dislike('tag', 'cli')], -1],
])('%s', (_name, classifiers, score) => {
	expect(scoreOf(intelligenceOf(story, classifiers))).toBe(score);
});

test('intelligence lists the kinds separately', () => {
	expect(intelligenceOf(story, [like('tag', 'cli'), dislike('title', 'ten'), like('feed', '42')])).toEqual({
		feed: 1,
		author: 0,
		tags: 1,
		title: -1,
	});
});
