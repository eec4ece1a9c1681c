import { html } from '../../shared/html.ts';
import { pathOf } from './compose.ts';
import type { BuiltinStory, Publication } from './publication.ts';

/** One event a day that three publications report with the same headline, as if from one news agency. */

interface SharedEvent {
	headline: string;
	tags: string[];
	report: string;
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
		report:
			'The night ferry between Saltmarsh Quay and Port Ellery will sail again from the first of the month.',
		carriedBy: ['harbour-lantern', 'kerb-and-crossing', 'long-walk'],
	},
	{
		headline: 'Bright light over the bay was a returning satellite',
		tags: ['satellite', 'night'],
		report:
			'The light that hundreds of people saw over the bay on Tuesday night was a weather satellite burning up.',
		carriedBy: ['night-sky', 'harbour-lantern', 'bitwright'],
	},
	{
		headline: 'Tide tables of the whole coast published as open data',
		tags: ['data', 'open'],
		report: 'The harbour offices of the coast have published their tide tables as open data, back to 1921.',
		carriedBy: ['open-bench', 'bitwright', 'harbour-lantern'],
	},
	{
		headline: 'Lighthouse keepers open their kitchen to walkers',
		tags: ['walking', 'kitchen'],
		report:
			'Walkers on the coast path can eat at the lighthouse from May, at one long table and at fixed hours.',
		carriedBy: ['lighthouse-letters', 'long-walk', 'slow-kitchen'],
	},
	{
		headline: 'Kestrelford turns its last petrol station into a repair hall',
		tags: ['repair', 'streets'],
		report:
			'The last petrol station of Kestrelford has become a hall in which people mend bicycles and kettles.',
		carriedBy: ['kerb-and-crossing', 'open-bench', 'harbour-lantern'],
	},
	{
		headline: 'Old telescope finds a comet that nobody was looking for',
		tags: ['comet', 'instruments'],
		report: 'A telescope of 1934 that was being tested after a repair has found a comet.',
		carriedBy: ['night-sky', 'open-bench', 'bitwright'],
	},
	{
		headline: 'Bread from the tidal mill sells out before sunrise',
		tags: ['bread', 'harbour'],
		report: 'The tidal mill grinds again, and its bread is gone before the sun is up.',
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

function reportOf({ slug, title, authors }: Publication, day: number): BuiltinStory | undefined {
	const event = events[day % events.length];
	const place = event ? event.carriedBy.indexOf(slug) : -1;
	if (event === undefined || place < 0) return undefined;
	return {
		path: `r${day}-${pathOf(event.headline)}`,
		guid: `tag:${slug}.example,2020:r${day}`,
		title: event.headline,
		authors: authors.slice(0, 1),
		publishedAt: founded + day * dayMs + place * delayMs,
		tags: event.tags,
		content: String(
			html`<p>${event.report}</p>
				<p>${title} will follow this.</p>`,
		),
		excerpt: event.report,
		picture: null,
	};
}
