/** Tests lists that change while they are read; rivers change if any client requests page 1: the server stores one per account. */
import type { IDataObject } from 'n8n-workflow';
import type { RunResult } from '../../engine/index.ts';
import { FakeHost, type HostRequest, type Reply } from '../support/hosts/fake-host';
import { records, runReader, sessionCredential, SESSION } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

const OK = { result: 'ok', code: 1, authenticated: true, user_id: 1 };

interface Story {
	hash: string;
	owner: number;
	/** The hour of the day at which it was shared. */
	hour: number;
}

/** A story of the list; `owner` is the feed in a river, and the sharing user in a list of shared stories. */
const storyRecord = ({ hash, owner, hour }: Story): IDataObject => {
	const date = `2026-11-20 ${String(hour).padStart(2, '0')}:00:00`;
	return {
		...{ story_hash: hash, id: hash, story_title: hash, story_permalink: '', story_content: '' },
		...{ story_feed_id: owner, story_date: date, story_timestamp: String(Date.parse(`${date}Z`) / 1000) },
		...{ shared_date: date, share_user_ids: [owner], read_status: 0 },
	};
};

const shares = (owner: number, count: number): Story[] =>
	Array.from({ length: count }, (_, n) => ({ hash: `${owner}:${n}`, owner, hour: n % 24 }));

/** Stores one list for rivers and one for shared stories, and replaces it at each request for page 1. */
class StoredListHost {
	stories: Story[] = [];
	/** Called with the stored list before each page after the first. @returns the changed list */
	betweenPages: (stored: Story[]) => Story[] = (stored) => stored;
	/** Whether each page is reversed: newest first, even if oldest first is requested. */
	reversesPages = false;
	status = 200;
	limits: Array<string | null> = [];
	host!: FakeHost;
	private readonly stored = new Map<string, Story[]>();

	static async start(): Promise<StoredListHost> {
		const instance = new StoredListHost();
		instance.host = await FakeHost.start((request) => instance.reply(request));
		return instance;
	}

	private reply({ method, url, path, body }: HostRequest): Reply {
		const requested = new URLSearchParams(method === 'POST' ? body : url.slice(path.length));
		const isList = path.endsWith('/river_stories');
		if (path.endsWith('/unread_story_hashes')) {
			const feed = requested.get('feed_id')!;
			const newest = this.stories.filter(({ owner }) => String(owner) === feed).slice(-500);
			const listed = newest.map((story) => storyRecord(story).story_hash);
			return { body: { ...OK, unread_feed_story_hashes: { [feed]: listed } } };
		}
		if (isList && this.status !== 200) return { status: this.status, body: '<html>Sorry</html>' };
		return { body: { ...OK, ...(isList && { stories: this.page(path, requested) }) } };
	}

	private page(path: string, requested: URLSearchParams): IDataObject[] {
		const owners = new Set([...requested.getAll('feeds'), ...requested.getAll('social_user_ids')]);
		const [number, size] = [Number(requested.get('page')), 10];
		this.limits.push(requested.get('limit'));
		const previous = this.stored.get(path) ?? [];
		const list =
			number === 1
				? this.stories.filter(({ owner }) => owners.has(String(owner)))
				: this.betweenPages(previous);
		this.stored.set(path, list);
		const page = list.slice((number - 1) * size, number * size);
		return (this.reversesPages ? page.reverse() : page).map(storyRecord);
	}
}

describe('a list that the server stores for the account', () => {
	let service: StoredListHost;
	beforeEach(async () => {
		service = await StoredListHost.start();
		engine.credentials.setAll(sessionCredential(service.host.baseUrl, { sessionToken: SESSION }));
	});

	const getShared = (more: object = {}) => ({
		...{ resource: 'river', operation: 'getShared', returnAll: true, socialUserIds: '={{ $json.user }}' },
		options: more,
	});
	const river = { resource: 'river', operation: 'getAll', returnAll: true, whichFeeds: 'feeds' };
	const hashesOf = (result: RunResult): unknown[] => records(result).map(({ hash }) => hash);
	const hintsOf = (result: RunResult): string =>
		result
			.hints('News Reader')
			.map(({ message }) => message)
			.join('\n');
	const hashes = (stories: Story[]): string[] => stories.map(({ hash }) => hash);

	it('is complete for each of two items', async () => {
		const [two, three] = [shares(2, 25), shares(3, 18)];
		service.stories = [...two, ...three];
		const result = await runReader(engine, getShared(), [{ user: 2 }, { user: 3 }]);
		expect(hashesOf(result)).toEqual([...hashes(two), ...hashes(three)]);
		expect(hintsOf(result)).not.toContain('skipped');
	});

	it('is complete for each of two concurrent executions', async () => {
		service.stories = [...shares(2, 25), ...shares(3, 18)];
		const runs = await Promise.all([2, 3].map((user) => runReader(engine, getShared(), [{ user }])));
		expect(runs.map((run) => hashesOf(run).length)).toEqual([25, 18]);
	});

	it('has all older unread stories of each of two feeds', async () => {
		service.stories = [...shares(2, 535), ...shares(3, 525)];
		const unread = { resource: 'story', operation: 'getUnreadHashes', includeTimestamps: false };
		const ofFeed = { ...unread, whichFeeds: 'feeds', feedIds: '={{ [$json.feed] }}' };
		const result = await runReader(engine, ofFeed, [{ feed: 2 }, { feed: 3 }]);
		expect(hashesOf(result).sort()).toEqual(hashes(service.stories).sort());
		expect(hintsOf(result)).not.toContain('missing');
		service.betweenPages = () => [];
		const cut = await runReader(engine, ofFeed, [{ feed: 2 }]);
		expect(hashesOf(cut)).toHaveLength(510);
		expect(hintsOf(cut)).toContain('its river lacks some of the others. Story → Get Many');
	});

	it('is requested with the largest page size', async () => {
		service.stories = shares(2, 1);
		await runReader(engine, getShared(), [{ user: 2 }]);
		expect(service.limits).toEqual(['50', '50']);
	});

	it('is incomplete if another client replaces it, with a hint', async () => {
		service.stories = [...shares(2, 25), ...shares(3, 18)];
		service.betweenPages = () => service.stories.filter(({ owner }) => owner === 3);
		const result = await runReader(engine, getShared(), [{ user: 2 }]);
		expect(hashesOf(result)).toEqual(hashes(shares(2, 10)));
		expect(hintsOf(result)).toContain(
			'Stories skipped because they do not belong to this list: 8. Another client',
		);
		expect(hintsOf(result)).toContain('run this again');
	});

	it('is sorted oldest first, even if the server reverses each page', async () => {
		service.stories = shares(2, 20);
		service.reversesPages = true;
		const oldest = await runReader(engine, getShared({ order: 'oldest' }), [{ user: 2 }]);
		expect(hashesOf(oldest)).toEqual(hashes(shares(2, 20)));
		const first = { ...getShared({ order: 'oldest' }), returnAll: false, limit: 3 };
		expect(hashesOf(await runReader(engine, first, [{ user: 2 }]))).toEqual(hashes(shares(2, 3)));
		service.reversesPages = false;
		const again = await runReader(engine, getShared({ order: 'oldest' }), [{ user: 2 }]);
		expect(hashesOf(again)).toEqual(hashes(shares(2, 20)));
	});

	it('explains whose stories it contains if it is empty, and names the field if it fails', async () => {
		const ofFollowed = 'only of users that you follow';
		expect(hintsOf(await runReader(engine, getShared(), [{ user: 9 }]))).toContain(ofFollowed);
		service.status = 500;
		const { error } = await runReader(engine, getShared(), [{ user: 9 }]);
		expect(error?.description).toBe('Check Users.');
	});

	it('does not mix the rivers of concurrent executions', async () => {
		service.stories = [...shares(42, 25), ...shares(43, 18)];
		const run = (feed: number) => runReader(engine, { ...river, feedIds: '={{ $json.feed }}' }, [{ feed }]);
		const runs = await Promise.all([run(42), run(43)]);
		expect(runs.map((result) => hashesOf(result).length)).toEqual([25, 18]);
	});
});

it('lacks and repeats nothing if a page of new entries arrives while the list is read', async () => {
	const activity = (n: number) => ({
		category: 'follow',
		with_user_id: n,
		date: `2026-11-20 10:00:${10 + n}`,
	});
	let all = Array.from({ length: 12 }, (_, n) => activity(n));
	let requests = 0;
	const service = await FakeHost.start(({ url, path }) => {
		const page = Number(new URLSearchParams(url.slice(path.length)).get('page'));
		if (page === 2 && requests === 1) all = [...[20, 21, 22, 23].map(activity), ...all];
		requests += 1;
		const listed = all.slice((page - 1) * 4, page * 4);
		const activities = listed.map((entry) => ({ ...entry, time_since: `${requests} minutes` }));
		return { body: { ...OK, activities, has_next_page: page * 4 < all.length } };
	});
	engine.credentials.setAll(sessionCredential(service.baseUrl, { sessionToken: SESSION }));
	const result = await runReader(engine, {
		resource: 'profile',
		operation: 'getActivities',
		returnAll: true,
	});
	const users = records(result).map(({ withUserId }) => Number(withUserId));
	expect(users.sort((a, b) => a - b)).toEqual(
		[...all.map(({ with_user_id: user }) => user)].sort((a, b) => a - b),
	);
});
