import type { Publication } from '../publication.ts';

/** The feed that publishes every few seconds when asked to. */
export const liveWire: Publication = {
	slug: 'live-wire',
	title: 'Live Wire',
	tagline: 'Short notices; ask for ?every=5 and there is a new one every five seconds',
	folder: [],
	format: 'atom',
	carries: 'everything',
	everyHours: 6,
	count: 10,
	color: 'd7263d',
	authors: ['The night desk', 'The day desk'],
	words: {
		place: [
			'Pier Four',
			'the east gate',
			'Platform 9',
			'the observatory',
			'the bakery',
			'the pump house',
			'the control room',
			'the reading room',
		],
		event: [
			'lights on',
			'water level normal',
			'a parcel arrived',
			'doors closed',
			'test signal received',
			'one visitor',
			'all quiet',
			'clock wound',
			'a bell rang twice',
			'kettle boiled',
			'wind turned north',
		],
		source: ['an automatic sensor', 'the caretaker', 'a passer-by', 'two independent clocks'],
	},
	headlines: [
		{ text: '{place}: {event}', tags: ['notice'] },
		{ text: 'Bulletin from {place}: {event}', tags: ['bulletin'] },
		{ text: '{event} at {place}, says {source}', tags: ['notice', 'unconfirmed'] },
	],
	openings: ['This notice was filed by {source} at {place}.'],
	middles: [
		'It reads, in full: {event}.',
		'Nothing needs to be done about it.',
		'A second notice will follow if the first turns out to be wrong.',
		'The previous notice from {place} remains valid.',
	],
	closings: ['End of notice.'],
};
