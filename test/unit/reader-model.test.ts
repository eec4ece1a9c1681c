import { isInTime, needsStories, passes, type StoryFilter } from '../../nodes/NewsReader/model/story-lists';
import { countsOutput, unreadCountsIn } from '../../nodes/NewsReader/model/unread-counts';
import type { ItemApi } from '../../nodes/runtime/api-types';
import { toStoryHash } from '../../nodes/NewsReader/fields/locators';
import { responseWith } from '../support/responses';
import {
	entryFor,
	isoFromSeconds,
	isoFromUtc,
	isoOfSpan,
	refusalIn,
} from '../../nodes/NewsReader/model/responses';
import { storyHistories, faviconResults } from '../../nodes/NewsReader/model/feeds';
import { feedEntries } from '../../nodes/NewsReader/model/syndication';
import { clock } from '../../nodes/runtime/clock';
import { classifier } from '../../nodes/NewsReader/resources/classifier';
import { simpleInteraction } from '../../nodes/NewsReader/model/people';
import { newsReader } from '../../nodes/NewsReader/service';

describe('the model of the reader', () => {
	it('declares that the feed of saved classifiers can be a share feed, such as social:12', () => {
		const { feedId } = classifier.operations.save.output.shape!.schema.members;
		expect(feedId!.jsonSchema.type).toEqual(['integer', 'string']);
	});

	it('declares that the user of an event can be the own one, as in shares', () => {
		const { withUserId, withUsername } = simpleInteraction.schema.members;
		for (const { jsonSchema } of [withUserId, withUsername])
			expect(jsonSchema.description).toMatch(/ of the other user, or of the list’s own user$/);
	});

	it('says that the server may lack an operation whose address it does not know, or where it redirects', () => {
		const request = { method: 'GET', path: '/api/v1/feeds/favicons/', action: 'Get favicons' } as const;
		const description =
			'Check the Base URL of the credential. If that is right, this server does not offer the operation, or a login page answers.';
		expect(newsReader.errorIn({ ...responseWith(undefined), status: 404 }, request)).toMatchObject({
			message: 'The news reader service refused to get favicons: not found',
			description,
		});
		const toLogin = { status: 302, redirect: new URL('https://sso.example.com/login') };
		expect(newsReader.redirected?.({ ...responseWith(undefined), ...toLogin }, request)).toMatchObject({
			message: 'The news reader service refused to get favicons: it redirects to https://sso.example.com',
			description,
		});
	});

	describe('the result for one story', () => {
		const done = { story_hash: '1:aaaaaa', code: 1 };
		const refused = { story_hash: '1:aaaaaa', code: -1, message: 'Too old' };
		const other = { story_hash: '1:bbbbbb', code: 1 };

		it.each([
			['a list', [other, done], done],
			['a list under stories', { stories: [other, done] }, done],
			['a list that begins with a rejection', [refused, done], refused],
			['a list that ends with a rejection', [done, refused], refused],
			['a list without it', [other], undefined],
			['a record', { code: 1 }, { code: 1 }],
			['a record with its hash', done, done],
			['a record about another story', other, undefined],
			['a text', 'OK', undefined],
		])('is found in %s', (_, json, entry) => {
			expect(entryFor(responseWith(json), '1:aaaaaa')).toEqual(entry);
		});

		it.each([
			[{ code: 1 }, undefined],
			[{}, undefined],
			[{ code: 0, message: ' ' }, undefined],
			[{ code: -1 }, ''],
			[{ code: -1, message: 'Too old' }, 'Too old'],
			[{ code: 1, message: ' Too old ' }, 'Too old'],
		])('has the reason for a rejection: %j', (entry, why) => {
			expect(refusalIn(entry)).toBe(why);
		});
	});

	it('counts stories by the hours from 0 to 23', () => {
		const { coerce } = storyHistories.story_hours_history;
		expect(coerce({ '-5': 4, 18: 6, 25: 7 })).toEqual({ 19: 4, 18: 6, 1: 7 });
	});

	describe('a story filter', () => {
		const story = {
			story_title: 'Solar Power',
			story_authors: 'Ada L',
			story_tags: ['Energy'],
			story_timestamp: '1000',
			score: 1,
			starred: true,
		};

		it.each<[StoryFilter, boolean]>([
			[{}, true],
			[{ title: 'solar' }, true],
			[{ title: ' solar ' }, true],
			[{ title: 'wind' }, false],
			[{ author: 'ADA' }, true],
			[{ author: 'ada ' }, true],
			[{ author: 'bo' }, false],
			[{ tags: ['wind', 'energy'] }, true],
			[{ tags: ['wind'] }, false],
			[{ focus: true }, true],
			[{ saved: true }, true],
			[{ newerThan: 999 }, true],
			[{ newerThan: 1000 }, false],
			[{ olderThan: 1001 }, true],
			[{ olderThan: 1000 }, false],
			[{ title: 'solar', olderThan: 1000 }, false],
		])('%j accepts the story: %s', (filter, does) => {
			expect(passes(story, filter)).toBe(does);
		});

		it.each([{ score: 0 }, { score: -1 }, { score: undefined }])('of focus rejects %j', (judged) => {
			expect(passes({ ...story, ...judged }, { focus: true })).toBe(false);
			expect(passes({ ...story, ...judged }, { focus: false })).toBe(true);
		});

		it.each([
			['r&d', 'R&amp;D grows'],
			['R&amp;D', 'R&amp;D grows'],
			['r & d', 'R & D grows'],
		])('%s is found in the title %s, which is HTML', (title, written) => {
			expect(passes({ story_title: written }, { title })).toBe(true);
		});

		it('of saved stories rejects unsaved ones', () => {
			expect(passes({ ...story, starred: false }, { saved: true })).toBe(false);
			expect(passes({ story_timestamp: '1000' }, { saved: true })).toBe(false);
		});

		it('accepts a story without date, title and tags if it has no such condition', () => {
			expect(passes({}, { newerThan: 1000, olderThan: 2000 })).toBe(true);
			expect(isInTime(undefined, { newerThan: 1 })).toBe(true);
			expect(passes({}, { title: 'solar' })).toBe(false);
			expect(passes({}, { tags: ['energy'] })).toBe(false);
		});

		it('requires full stories unless it has only dates', () => {
			expect(needsStories({ newerThan: 1 })).toBe(false);
			expect(needsStories({ newerThan: 1, olderThan: 2 })).toBe(false);
			expect(needsStories({ newerThan: 1, title: 'solar' })).toBe(true);
		});
	});

	describe('counts of unread stories', () => {
		it('have readable names and default to zero', () => {
			const named = (counts: object) => countsOutput.shape?.map({ ...counts }, responseWith({}), {});
			expect(named({ id: 7, ps: 1, nt: 2, ng: 3 })).toEqual({ id: 7, focus: 1, unread: 3, hidden: 3 });
			expect(named({ user_id: 9, nt: '5' })).toEqual({ userId: 9, focus: 0, unread: 5, hidden: 0 });
		});

		it('list feeds first, then shares', () => {
			const json = {
				feeds: { 42: { nt: 1 }, 43: { id: 7, nt: 2 }, 44: null },
				social_feeds: { 'social:9': { nt: 3 } },
			};
			expect(unreadCountsIn(responseWith(json))).toEqual([
				{ id: '42', nt: 1 },
				{ id: 7, nt: 2 },
				{ user_id: 9, nt: 3 },
			]);
			expect(unreadCountsIn(responseWith({ feeds: [{ id: 42, nt: 1 }] }))).toEqual([{ id: 42, nt: 1 }]);
			expect(unreadCountsIn(responseWith('none'))).toEqual([]);
		});
	});

	it.each([
		['1:a1b2c3', '1:a1b2c3'],
		[' 1:a1b2c3 ', '1:a1b2c3'],
		['1:A1B2C3', '1:a1b2c3'],
		['a1b2c3', undefined],
		['', undefined],
	])('reads %j as the hash %j', (written, hash) => {
		expect(toStoryHash(written)).toBe(hash);
	});
});

describe('dates in responses', () => {
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
});

describe('favicons', () => {
	it.each([
		['data:image/png;base64,QQ==', 'favicon-7.png', 'A'],
		['QQ==', 'favicon-7.png', 'A'],
		['data:image/svg+xml;base64,QQ==', 'favicon-7.svg', 'A'],
		['data:image/x-icon;base64,QQ==', 'favicon-7.icon', 'A'],
		['data:image/../../x;base64,QQ==', 'favicon-7.png', 'A'],
	])('makes a file of %s', async (uri, fileName, content) => {
		const file = jest.fn();
		const api = { file, results: () => [{ json: {} }] } as unknown as ItemApi;
		await faviconResults({ json: { 7: uri, authenticated: true } } as never, api, true);
		const [bytes, name] = file.mock.lastCall as [Buffer, string];
		expect([name, bytes.toString('latin1')]).toEqual([fileName, content]);
	});
});
