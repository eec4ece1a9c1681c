/** Parsing of the dates in the News Reader's responses. */
import { isoFromSeconds, isoFromUtc, isoOfSpan } from '../../nodes/NewsReader/model/responses';
import { feedEntries } from '../../nodes/NewsReader/model/syndication';
import { clock } from '../../nodes/runtime/clock';

const now = clock.now;
beforeAll(() => {
	clock.now = () => Date.UTC(2026, 8, 1, 12, 30, 20);
});
afterAll(() => {
	clock.now = now;
});

it.each<[unknown, -1 | 1, string | null]>([
	['22 minutes', -1, '2026-09-01T12:08:00.000Z'],
	['just a second', -1, '2026-09-01T12:30:00.000Z'],
	['1 hour, 5 minutes', -1, '2026-09-01T11:25:00.000Z'],
	['1 hour', 1, '2026-09-01T13:30:00.000Z'],
	['3 days', -1, '2026-08-29T12:30:00.000Z'],
	['0 seconds', -1, '2026-09-01T12:30:00.000Z'],
	['90 seconds', -1, '2026-09-01T12:29:00.000Z'],
	['9 seconds', 1, '2026-09-01T12:30:00.000Z'],
	['10 seconds', 1, '2026-09-01T12:31:00.000Z'],
	['100 minutes', -1, '2026-09-01T10:50:00.000Z'],
	['100 hours', -1, '2026-08-28T08:30:00.000Z'],
	['100 days', -1, '2026-05-24T12:30:00.000Z'],
	['100 weeks', -1, '2024-10-01T12:30:00.000Z'],
	// A month is a twelfth of a year, and a year 365.25 days.
	['100 months', -1, '2018-05-02T18:30:00.000Z'],
	['100 years', -1, '1926-09-01T12:30:00.000Z'],
	['never', -1, null],
	['', 1, null],
	[null, 1, null],
	[{ minutes: 4 }, 1, null],
])('parses a relative time: %j', (words, direction, iso) => {
	expect(isoOfSpan(words, direction)).toBe(iso);
});

it.each<[unknown, string | null]>([
	['1788265800', '2026-09-01T12:30:00.000Z'],
	[1788265800.5, '2026-09-01T12:30:00.500Z'],
	['soon', null],
	['', null],
	[' ', null],
	[null, null],
	[undefined, null],
	[[1788265800], null],
	[1e300, null],
])('parses Unix seconds: %j', (seconds, iso) => {
	expect(isoFromSeconds(seconds)).toBe(iso);
});

it.each<[unknown, string | null]>([
	['2026-09-01 12:30:00', '2026-09-01T12:30:00.000Z'],
	['2026-09-01 12:30:00.250000', '2026-09-01T12:30:00.000Z'],
	['2 hours', null],
])('parses a time without a zone as UTC: %j', (written, iso) => {
	expect(isoFromUtc(written)).toBe(iso);
});

it.each<[string, string | null]>([
	['2026-09-01T12:30:00', '2026-09-01T12:30:00.000Z'],
	['2026-09-01T12:30:00+02:00', '2026-09-01T10:30:00.000Z'],
	['Tue, 01 Sep 2026 12:30:00', '2026-09-01T12:30:00.000Z'],
	['Tue, 01 Sep 2026 12:30:00 GMT', '2026-09-01T12:30:00.000Z'],
	['Tue, 01 Sep 2026 12:30:00 -0400', '2026-09-01T16:30:00.000Z'],
	['', null],
])('parses the date of a share feed independently of n8n’s time zone: %s', (written, iso) => {
	const [entry] = feedEntries(`<rss><channel><item><pubDate>${written}</pubDate></item></channel></rss>`);
	expect(entry?.date).toBe(iso);
});
