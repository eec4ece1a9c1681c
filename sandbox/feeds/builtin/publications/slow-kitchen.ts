import type { Publication } from '../publication.ts';

export const slowKitchen: Publication = {
	slug: 'slow-kitchen',
	title: 'Slow Kitchen Notes',
	tagline: 'Cooking for people who read the recipe twice',
	folder: ['Life', 'Food'],
	carries: 'everything',
	everyHours: 24,
	count: 50,
	color: 'b4512f',
	authors: ['Oona Berrigan', 'Rafael Sorel', 'Mei-Lin Ashworth'],
	words: {
		base: ['white beans', 'barley', 'new potatoes', 'red lentils', 'buckwheat', 'day-old bread'],
		vegetable: ['leeks', 'fennel', 'celeriac', 'chard', 'beetroot', 'aubergine'],
		flavour: ['brown butter', 'preserved lemon', 'caraway', 'smoked paprika', 'tarragon', 'miso'],
		dish: ['soup', 'gratin', 'pie', 'salad', 'dumplings', 'fritters'],
		minutes: ['twenty', 'thirty-five', 'fifty', 'ninety'],
		guest: ['an aunt', 'the neighbours', 'two hungry teenagers', 'a retired baker', 'the book club'],
		season: ['the end of winter', 'a wet April', 'early summer', 'the first cold week', 'the glut of August'],
	},
	headlines: [
		{ text: '{vegetable} and {base} with {flavour}', tags: ['recipes', '{vegetable}'] },
		{ text: 'A {dish} of {base} for {season}', tags: ['recipes', '{dish}'] },
		{ text: 'In praise of {vegetable}', tags: ['essays', '{vegetable}'] },
		{ text: 'The {dish} that waits for {guest}', tags: ['recipes', '{dish}'] },
		{ text: 'What to do with too many {vegetable}', tags: ['{vegetable}', 'preserving'] },
		{ text: 'Notes on {flavour}, and when to leave it out', tags: ['ingredients'] },
		{ text: 'One pot, {minutes} minutes: {base} and {vegetable}', tags: ['recipes', 'quick'] },
		{ text: 'The trouble with {dish}', tags: ['essays', '{dish}'] },
		{ text: 'Cooking {base} properly, at last', tags: ['technique'] },
		{ text: 'A menu for {guest} in {season}', tags: ['menus'] },
	],
};
