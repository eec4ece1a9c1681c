import { html } from '../../shared/html.ts';
import type { Publication } from './publication.ts';
import type { BuiltinStory } from './builtin-types.ts';

/** One event a day that three publications report with the same headline, as if from one news agency. */

interface SharedEvent {
	headline: string;
	tags: string[];
	sentences: string[];
	/** Slugs of the publications, in the order of their reports. */
	carriedBy: [string, string, string];
}

const founded = Date.UTC(2020, 0, 6, 6);
const dayMs = 24 * 3_600_000;
const delayMs = 40 * 60_000;
const listedDays = 5;

const events: readonly SharedEvent[] = [
	{
		headline: 'Night ferry to Port Ellery returns after eleven years',
		tags: ['ferry', 'transport'],
		sentences: [
			'The night ferry between Saltmarsh Quay and Port Ellery will sail again from the first of the month.',
			'It was withdrawn eleven years ago, when the bridge opened and half of the cabins stayed empty.',
			'The company says that bookings for the first week were gone within two hours.',
		],
		carriedBy: ['harbour-lantern', 'kerb-and-crossing', 'long-walk'],
	},
	{
		headline: 'Bright light over the bay was a returning satellite',
		tags: ['satellite', 'night'],
		sentences: [
			'The light that hundreds of people saw over the bay on Tuesday night was a weather satellite burning up.',
			'Its operator had announced the return, but expected it four hours later and over open sea.',
			'No part of it is known to have reached the ground.',
		],
		carriedBy: ['night-sky', 'harbour-lantern', 'bitwright'],
	},
	{
		headline: 'Tide tables of the whole coast published as open data',
		tags: ['data', 'open'],
		sentences: [
			'The harbour offices of the coast have published their tide tables as open data, back to 1921.',
			'Until now the tables were sold on paper, and copied by hand into calendars.',
			'A first application that draws them was online on the same afternoon.',
		],
		carriedBy: ['open-bench', 'bitwright', 'harbour-lantern'],
	},
	{
		headline: 'Lighthouse keepers open their kitchen to walkers',
		tags: ['walking', 'kitchen'],
		sentences: [
			'Walkers on the coast path can eat at the lighthouse from May, at one long table and at fixed hours.',
			'The keepers cook what the boat brings; there is no menu and no card machine.',
			'Those who want to stay the night should write in good time.',
		],
		carriedBy: ['lighthouse-letters', 'long-walk', 'slow-kitchen'],
	},
	{
		headline: 'Kestrelford turns its last petrol station into a repair hall',
		tags: ['repair', 'streets'],
		sentences: [
			'The last petrol station of Kestrelford has become a hall in which people mend bicycles and kettles.',
			'The city pays the rent for five years; tools come from two factories that closed.',
			'On the first Saturday the queue went once around the block.',
		],
		carriedBy: ['kerb-and-crossing', 'open-bench', 'harbour-lantern'],
	},
	{
		headline: 'Old telescope finds a comet that nobody was looking for',
		tags: ['comet', 'instruments'],
		sentences: [
			'A telescope of 1934 that was being tested after a repair has found a comet.',
			'The students at the eyepiece took it for a scratch until it moved.',
			'It will be visible with binoculars in the last week of the month.',
		],
		carriedBy: ['night-sky', 'open-bench', 'bitwright'],
	},
	{
		headline: 'Bread from the tidal mill sells out before sunrise',
		tags: ['bread', 'harbour'],
		sentences: [
			'The tidal mill grinds again, and its bread is gone before the sun is up.',
			'The miller works when the water allows it, which this week is between two and five in the morning.',
			'A second oven is on order.',
		],
		carriedBy: ['slow-kitchen', 'harbour-lantern', 'long-walk'],
	},
];

/** A publication's reports of the last days, newest first. */
export function sharedReports(publication: Publication, now: number): BuiltinStory[] {
	const today = Math.floor((now - founded) / dayMs);
	return Array.from({ length: listedDays }, (_, back) => reportOf(publication, today - back))
		.filter((report) => report !== undefined)
		.filter(({ publishedAt }) => publishedAt <= now);
}

/** The report with this page path ('r2430-night-ferry'). */
export function sharedReportAt(
	publication: Publication,
	path: string,
	now: number,
): BuiltinStory | undefined {
	const day = /^r(\d{1,6})-/.exec(path)?.[1];
	const report = day === undefined ? undefined : reportOf(publication, Number(day));
	return report && report.publishedAt <= now ? report : undefined;
}

function reportOf({ slug, title, authors }: Publication, day: number): BuiltinStory | undefined {
	const event = events[day % events.length];
	const place = event ? event.carriedBy.indexOf(slug) : -1;
	if (event === undefined || place < 0) return undefined;
	const [first = '', ...rest] = event.sentences;
	return {
		path: `r${day}-${event.headline.toLowerCase().replace(/\W+/g, '-')}`,
		guid: `tag:${slug}.example,2020:r${day}`,
		title: event.headline,
		authors: authors.slice(0, 1),
		publishedAt: founded + day * dayMs + place * delayMs,
		tags: event.tags,
		content: String(
			html`<p>${first}</p>
				<p>${rest.join(' ')}</p>
				<p>${title} will follow this.</p>`,
		),
		excerpt: first,
		picture: null,
	};
}
