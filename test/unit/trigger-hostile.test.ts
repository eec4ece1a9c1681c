/** One record of which anything may be wrong: no poll fails for it, and the others are handed over. */
import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../../nodes/runtime/exchange';
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { linkManager } from '../../nodes/LinkManager/service';
import { newsReader } from '../../nodes/NewsReader/service';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';
import { PollApi } from '../../nodes/runtime/poll/poll';
import { readState, serialize, type State } from '../../nodes/runtime/poll/state';
import { step } from '../../nodes/runtime/poll/step';
import type { Watch } from '../../nodes/runtime/poll/watch';
import { Secrets } from '../../nodes/runtime/errors/secrets';
import type { Client } from '../../nodes/runtime/transport/client';
import type { Service } from '../../nodes/runtime/transport/service';

/** Stands for lists in each other, which only JSON can hold: so many that recursion would overflow the stack. */
const DEEP = '@deep@';
const LEVELS = 20_000;

const HOSTILE: Array<[string, unknown]> = [
	['null', null],
	['a number', -7],
	['a huge number', 9e15],
	['a text', 'a:b;c#%\ud800'],
	['a blank text', ''],
	['a list', [[], {}, null]],
	['an object', { constructor: 1 }],
	['an object that is no text', { toString: 1, valueOf: 1, toJSON: 1 }],
	['a prototype', JSON.parse('{"__proto__": {"a": 1}}')],
	['lists in each other', DEEP],
	['open tags', '<b>'.repeat(100_000)],
];

/** Makes one answer of the service; `record` is what its one list holds. */
type Answers = (request: Request, records: unknown[]) => unknown;

interface Case {
	service: Service;
	watch: Watch;
	answer: Answers;
	/** A record like the service's own. */
	record(number: number): IDataObject;
	/** A part of the event id of that record. */
	id(number: number): string;
}

const hash = (number: number): string => `1:${number.toString(16).padStart(6, '0')}`;
const story = (number: number): IDataObject => ({
	story_hash: hash(number),
	id: `story ${number}`,
	story_feed_id: 1,
	story_title: `Story ${number}`,
	story_authors: 'Ada',
	story_tags: ['tools'],
	story_content: '<p>Text</p>',
	story_permalink: 'https://news.example.com/1',
	story_timestamp: String(1_700_000_000 + number),
	story_date: '2023-11-14 22:13:20',
	starred_timestamp: '1700000000',
	score: 1,
	user_tags: ['tools'],
	social_user_id: 5,
	friend_user_ids: [5],
	highlights: ['Text'],
});
const link = (number: number): IDataObject => ({
	id: number,
	link: `https://links.example.com/qr/${number}`,
	shorturl: `https://links.example.com/${number}`,
	date: `2023-11-14 22:13:${number}`,
	name: `Record ${number}`,
	scans: number > 1 ? 2 : 0,
	type: 'links',
});

/** Hashes stay as they are: which story is asked for is no part of the record. */
const byHash =
	(key: string): Answers =>
	({ path, query }, records) => {
		const hashes = records.map((_, number) => [hash(number + 1), 1_700_000_000 + number]);
		if (path.endsWith('story_hashes')) return { [key]: key.startsWith('starred') ? hashes : { 1: hashes } };
		const asked = records.filter((_, number) => (query?.h as string[]).includes(hash(number + 1)));
		return { stories: asked };
	};

const pageOf = (key: string, request: Request, records: unknown[]): unknown => {
	const isFirst = Number(request.query?.page ?? 1) === 1;
	return { [key]: isFirst ? [...records].reverse() : [] };
};

const links = (list: string): Answers => {
	return ({ path }, records) =>
		/\/\d+$/.test(path)
			? { error: 0, details: records.at(-1), data: {} }
			: {
					error: '0',
					data: { result: records.length, currentpage: 1, nextpage: null, maxpage: 1, [list]: records },
				};
};

const stories = { service: newsReader, record: story, id: hash };
const cases: Record<string, Case> = {
	'New Unread Story': {
		...stories,
		watch: readerEvents.newUnreadStory.watch({
			title: 'story',
			author: 'a',
			tags: ['tools'],
			content: 'text',
		}),
		answer: byHash('unread_feed_story_hashes'),
	},
	'New Saved Story': {
		...stories,
		watch: readerEvents.newSavedStory.watch({ content: 'text', userTags: ['tools'] }),
		answer: byHash('starred_story_hashes'),
	},
	'New Shared Story': {
		...stories,
		watch: readerEvents.newSharedStory.watch({ sharer: 5, content: 'text' }),
		answer: (request, records) => pageOf('stories', request, records),
	},
	'Saved Search Match': {
		...stories,
		watch: readerEvents.savedSearchMatch.watch({ content: 'text' }),
		answer: (request, records) =>
			request.path === '/reader/feeds'
				? { feeds: [{ id: 1 }], folders: [1], saved_searches: [{ feed_id: 'feed:1', query: 'solar' }] }
				: pageOf('stories', request, records),
	},
	'New Interaction': {
		service: newsReader,
		watch: readerEvents.newInteraction.watch({ kinds: ['follow'] }),
		record: (number) => ({
			category: 'follow',
			date: `2023-11-14 22:13:0${number}`,
			with_user_id: number,
			with_user: { username: 'ada' },
			story_feed_id: 1,
			story_hash: hash(1),
			content_id: 'a',
			title: 'Title',
			content: 'Content',
		}),
		id: () => 'interaction:',
		answer: (request, records) => pageOf('interactions', request, records),
	},
	'New QR Code': {
		service: linkManager,
		watch: linkEvents.newQrCode.watch({}),
		record: link,
		id: (number) => `qrCode:${number}`,
		answer: links('qrs'),
	},
	'New QR Scan': {
		service: linkManager,
		watch: linkEvents.newQrScan.watch({ itemFor: 'scan', qrCodes: 'record' }),
		record: link,
		id: (number) => `qr:${number}:scan:`,
		answer: links('qrs'),
	},
};

class Polls {
	records: unknown[] = [];
	private saved: unknown;

	constructor(private readonly subject: Case) {}

	/** Polls once; tells the event ids, and saves the state as n8n does. */
	async poll(): Promise<string[]> {
		const { watch, service, answer } = this.subject;
		const attempt = async (request: Request) => {
			const text = stringify(answer(request, this.records));
			const json = JSON.parse(text) as unknown;
			return {
				answer: { host: 'reader.example', status: 200, headers: {}, bytes: Buffer.from(''), text, json },
			};
		};
		const node = {
			name: 'Trigger',
			type: 'trigger',
			typeVersion: 1,
			id: '1',
			position: [0, 0],
			parameters: {},
		};
		const secrets = new Secrets();
		const client = { service, node, attempt, secrets, identity: async () => 'one' } as unknown as Client;
		const asker = { item: 0, mention: '', advice: '', hint: () => undefined };
		const api = new PollApi(client, asker, Infinity);
		const settings = { key: '', firstPoll: 'nothing', lastCount: 1, maximum: 50, repeatWithinMs: 0 } as const;
		const moment = {
			now: Date.UTC(2030, 0, 1),
			instance: 'a',
			startedAt: 0,
			isFirstPoll: false,
			tookOver: false,
		};
		const read = readState(this.saved);
		if (read === 'broken') throw new Error('The state is broken');
		const state: State | undefined = read === 'none' ? undefined : read.state;
		const next = await step({ watch, settings, api, moment }, state);
		this.saved = JSON.parse(JSON.stringify(serialize(next.state)));
		expect(watch.read((readState(this.saved) as { state: State }).state.cursor)).toBeDefined();
		return next.items.map(({ json }) => String(json.eventId));
	}
}

const stringify = (value: unknown): string =>
	JSON.stringify(value).replaceAll(`"${DEEP}"`, `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`);

describe.each(Object.entries(cases))('%s', (_, subject) => {
	const fields = Object.keys(subject.record(1));

	it.each(HOSTILE)('is not stopped by a record of which anything may be %s', async (__, hostile) => {
		for (const field of [...fields, undefined]) {
			const polls = new Polls(subject);
			polls.records = [subject.record(1)];
			await polls.poll();
			const odd = field === undefined ? hostile : { ...subject.record(2), [field]: hostile };
			polls.records = [subject.record(1), odd, subject.record(3)];
			const told: string[] = [];
			for (let count = 0; count < 6; count += 1) told.push(...(await polls.poll()));
			expect([field, told.some((id) => id.includes(subject.id(3)))]).toEqual([field, true]);
			expect(new Set(told).size).toBe(told.length);
		}
	});
});
