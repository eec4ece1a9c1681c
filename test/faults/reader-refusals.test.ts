/** What the service would do without a word, or do wrong: the node refuses it or does it right. */
import type { IDataObject } from 'n8n-workflow';
import { ReaderSandbox } from '../support/hosts/reader-sandbox';
import { byId, records, runReader, sessionCredential } from '../support/nodes/reader-node';
import { engine } from '../support/nodes/suite-engine';

let reader: ReaderSandbox;

beforeAll(async () => {
	reader = await ReaderSandbox.start({ variant: 'wild' });
	engine.credentials.setAll(sessionCredential(reader.baseUrl));
});

const run = async (name: string, parameters: object) => {
	const [resource, operation] = name.split('.');
	return await runReader(engine, { resource, operation, ...parameters });
};
const opinion = (chosen: string) => ({ kind: 'tag', opinion: chosen, value: 'cli' });

it.each<[string, IDataObject, string]>([
	[
		'classifier.save',
		{ feedId: byId(1), classifiers: { entry: [opinion('remove_like'), opinion('dislike')] } },
		'twice with different opinions',
	],
	...[
		['author', 255],
		['title', 255],
		['url', 2048],
	].map(([kind, longest]): [string, IDataObject, string] => [
		'classifier.save',
		{
			feedId: byId(1),
			classifiers: { entry: [{ kind, opinion: 'like', value: 'é'.repeat(Number(longest) + 1) }] },
		},
		`with more than ${longest} characters`,
	]),
	[
		'savedStory.save',
		{ storyHash: '1:abcdef', additionalFields: { userTags: 'x'.repeat(129) } },
		'more than 128 characters',
	],
	['feed.rename', { feedId: byId(1), feedTitle: 'é'.repeat(256) }, 'Title has 256 characters, more than 255'],
	['comment.getAll', { storyId: byId('1:abcdef'), feedId: byId(2) }, 'is of feed 1'],
	['feed.move', { feedId: byId(2), toFolder: byId('={{ $json.missing }}') }, 'To Folder is empty'],
	['folder.move', { folder: byId('Science'), toFolder: byId('') }, 'To Folder is empty'],
	['feed.move', { feedId: byId(2), toFolder: '={{ [{ a: 1 }][0] }}' }, 'To Folder "{"a":1}" is not a path'],
])('%s is refused before the service does something else: %j', async (name, parameters, message) => {
	const { error } = await run(name, parameters);
	expect(error?.message).toContain(message);
});

it('saves an order of feeds whose ids are texts as numbers', async () => {
	const me = await reader.logIn();
	const ids = Object.keys((await me.get('/reader/feeds')).body.feeds);
	await run('folder.saveOrder', { folders: JSON.stringify([...ids.slice(1), { Tech: [ids[0]] }]) });
	const { folders } = (await me.get('/reader/feeds')).body;
	expect(folders).toEqual([...ids.slice(1).map(Number), { Tech: [Number(ids[0])] }]);
});

it('saves an order with one folder in each object', async () => {
	const me = await reader.logIn();
	const [first, second, ...others] = Object.keys((await me.get('/reader/feeds')).body.feeds).map(Number);
	const order = [{ Tech: [first], News: [second, { Deep: [], Far: others }] }];
	await run('folder.saveOrder', { folders: JSON.stringify(order) });
	const { folders } = (await me.get('/reader/feeds')).body;
	expect(folders).toEqual([{ Tech: [first] }, { News: [second, { Deep: [] }, { Far: others }] }]);
});

describe('of two stories with the same ID in two feeds', () => {
	const hashes: string[] = [];
	beforeAll(async () => {
		const me = await reader.logIn();
		for (const slug of ['bitwright', 'night-sky']) await me.publish(slug, { guid: 'same-id' });
		for (const feedId of [3, 5]) {
			const { body } = await me.get(`/reader/feed/${feedId}`);
			hashes.push(...body.stories.filter(({ id }) => id === 'same-id').map((story) => story.story_hash));
		}
	});

	it('does not report the second as shared', async () => {
		const share = async (hash: string) => await run('share.create', { storyId: byId(hash), comment: hash });
		expect((await share(hashes[0]!)).error).toBeUndefined();
		expect((await share(hashes[0]!)).error).toBeUndefined();
		expect((await share(hashes[1]!)).error?.message).toContain(`The service did not share ${hashes[1]}`);
	});
});

it('returns the comment of a share as the service changes it', async () => {
	const { body } = await (await reader.logIn()).get('/reader/feed/1');
	const comment = 'https://a.example/?a=1&b=2 & https://b.example/?utm_source=x&utm_medium=y&amp;z';
	const { runData } = await run('share.create', { storyId: byId(body.stories[0]!.story_hash), comment });
	const changed = 'https://a.example/?a=1&b;=2 & https://b.example/?utm_source=x&utm;_medium=y&amp;z';
	expect(runData['News Reader']?.[0]?.data?.main?.[0]?.[0]?.json).toMatchObject({ comment: changed });
});

it('accepts hashes, users and names as people paste them', async () => {
	const { body } = await (await reader.logIn()).get('/reader/unread_story_hashes?feed_id=1');
	const hash = String(body.unread_feed_story_hashes[1]?.[0]);
	const pasted = { storyId: byId(` ${hash.toUpperCase()} `), feedId: byId('') };
	expect(records(await run('share.create', pasted))).toMatchObject([{ hash }]);
	expect(records(await run('user.get', { userId: byId(' social:2 ') }))).toMatchObject([{ id: 2 }]);
	expect(records(await run('user.find', { userQuery: ' friend\n' }))).toMatchObject([{ username: 'friend' }]);
});
