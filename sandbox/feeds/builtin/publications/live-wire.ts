import type { Publication } from '../publication.ts';

export const liveWire: Publication = {
	slug: 'live-wire',
	title: 'Live Wire',
	tagline: 'Short notices from all over the coast',
	folder: [],
	carries: 'everything',
	everyHours: 6,
	count: 10,
	color: 'd7263d',
	authors: ['The night desk', 'The day desk'],
	words: {
		place: ['Pier Four', 'the east gate', 'Platform 9', 'the observatory', 'the bakery'],
		event: ['lights on', 'water level normal', 'a parcel arrived', 'doors closed', 'test signal received'],
		source: ['an automatic sensor', 'the caretaker', 'a passer-by', 'two independent clocks'],
	},
	headlines: [
		{ text: '{place}: {event}', tags: ['notice'] },
		{ text: 'Bulletin from {place}: {event}', tags: ['bulletin'] },
		{ text: '{event} at {place}, says {source}', tags: ['notice', 'unconfirmed'] },
	],
};
