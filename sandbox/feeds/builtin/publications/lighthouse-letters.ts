import type { Publication } from '../publication.ts';

export const lighthouseLetters: Publication = {
	slug: 'lighthouse-letters',
	title: 'Letters from the Lighthouse',
	tagline: 'A letter every few weeks, when the boat comes',
	folder: ['Culture'],
	carries: 'everything',
	everyHours: 21 * 24,
	count: 12,
	color: '37474f',
	authors: ['Runa Eriksdotter'],
	words: {
		number: ['first', 'second', 'fourth', 'ninth', 'thirteenth'],
		visitor: [
			'an inspector of lamps',
			'a pair of ravens',
			'a school class',
			'the piano tuner',
			'a lost canoeist',
		],
		work: [
			'painting the gallery',
			'counting puffins',
			'repairing the winch',
			'reading the old logbooks',
			'mending the boat',
		],
		sea: [
			'flat as slate',
			'the colour of tea',
			'loud for three nights',
			'full of jellyfish',
			'hidden under fog',
		],
	},
	headlines: [
		{ text: 'A letter about {visitor}', tags: ['letters', 'visitors'] },
		{ text: 'On {work}', tags: ['letters', 'work'] },
		{ text: 'The sea, {sea}', tags: ['letters', 'weather'] },
	],
};
