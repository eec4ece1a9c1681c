/**
 * Demonstrates workflows/feed-to-share.json: unread stories of feeds that the sandbox fetches are shared with a short
 * link, saved, and marked as read. The demo then reads the results from the services.
 */
import { chain, type Engine, type WorkflowJson } from '../engine/index.ts';
import { CommandError } from '../scripts/command.ts';
import type { ReaderAccount, Story } from './reader-account.ts';
import { cut, printTable, runAndReport } from './report.ts';
import { visitShortUrl } from './visits.ts';

export interface Stage {
	engine: Engine;
	workflow: WorkflowJson;
	/** The account of the workflow's credential. */
	account: ReaderAccount;
	/** URL of the sandbox, without trailing slash. */
	origin: string;
}

/** The account's read and shared stories at one time, by hash. */
interface State {
	unread: Set<string>;
	read: Map<string, Story>;
	shared: Map<string, Story>;
}

/** A story that the workflow shared, as the services return it. */
interface Shared {
	story: Story;
	tags: string[];
	comment: string;
	shortUrl: string;
	/** Target of the short URL. */
	target: string;
}

/** The story to publish between the two runs. */
const newStory = {
	feed: 'bitwright',
	title: 'Stop press: a standard everybody follows',
	tags: ['standards', 'stop press'],
};

/** @throws CommandError if a result is not as expected */
export async function demonstrateFeedToShare(stage: Stage): Promise<void> {
	const { workflow, account, origin } = stage;
	const start = await stateOf(account);
	const first = await share(stage, `\n"${workflow.name}" runs on n8n's engine:`, start);
	if (!first.shared[0]) throw new CommandError('No unread story is on a topic of the workflow.');
	console.log(
		`The first short URL leads to:\n  ${first.shared[0].shortUrl}\n    → ${first.shared[0].target}`,
	);

	await publish(origin);
	console.log(`\nNow Bitwright publishes "${newStory.title}", and the service fetches its feeds.`);
	const before = await stateOf(account);
	const second = await share(stage, 'An hour later the workflow runs again:', before);
	const titles = second.shared.map(({ story }) => story.story_title);
	if (titles.length !== 1 || titles[0] !== newStory.title) {
		throw new CommandError(`The second run shared ${titles.length} stories instead of the new one alone.`);
	}
	checkSharesKept(before, second.after);
	await checkLinks(stage, [...first.shared, ...second.shared]);
	console.log('Only the new story was shared; no other share changed, and every story has one short link.');
}

/** Runs the workflow and prints the state of its stories on both services. */
async function share(
	{ engine, workflow, account }: Stage,
	title: string,
	before: State,
): Promise<{ shared: Shared[]; after: State }> {
	const result = await runAndReport(engine, workflow, title);
	const hashes = result.json('On Topic').map(({ hash }) => String(hash));
	const after = await stateOf(account);
	const shared = await readResults(account, hashes, after);
	const others = [...after.read.keys()].filter((hash) => !before.read.has(hash) && !hashes.includes(hash));
	if (others.length > 0) throw new CommandError(`${others.join(', ')} were marked as read, but not shared.`);
	printTable(
		['Story', 'Saved with', 'Shared with the comment'],
		shared.map(({ story, tags, comment }) => [cut(story.story_title, 40), tags.join(', '), comment]),
	);
	console.log(
		`${before.unread.size} stories were unread, ${after.unread.size} are now. ` +
			`${hashes.length} ${hashes.length === 1 ? 'was' : 'were'} shared: on the share page, saved with tags, marked as read, with a short URL that responds.`,
	);
	return { shared, after };
}

async function stateOf(account: ReaderAccount): Promise<State> {
	const [unread, read, shared] = await Promise.all([
		account.unreadHashes(),
		account.read(),
		account.shared(),
	]);
	return { unread, read, shared };
}

/** Reads for each story whether it is saved, shared and read, and the target of its short URL. */
async function readResults(account: ReaderAccount, hashes: string[], after: State): Promise<Shared[]> {
	const [saved, page] = await Promise.all([account.saved(), account.sharePage()]);
	return await Promise.all(
		hashes.map(async (hash) => {
			const tags = saved.get(hash)?.user_tags ?? [];
			const story = after.shared.get(hash);
			const comment = story?.shared_comments ?? '';
			const [shortUrl] = /http\S+$/.exec(comment) ?? [];
			if (tags.length === 0) throw new CommandError(`The story ${hash} is not saved with tags.`);
			if (!story || !shortUrl) throw new CommandError(`The story ${hash} is not shared with a short URL.`);
			if (!page.includes(comment)) throw new CommandError(`The share page does not show "${comment}".`);
			if (after.unread.has(hash) || !after.read.has(hash))
				throw new CommandError(`The story "${story.story_title}" is not read.`);
			const target = await visitShortUrl(shortUrl, story.story_permalink);
			return { story, tags, comment, shortUrl, target };
		}),
	);
}

/** Checks that the second run added one share and left the earlier ones unchanged. */
function checkSharesKept(before: State, after: State): void {
	const isKept = [...before.shared].every(
		([hash, story]) => after.shared.get(hash)?.shared_comments === story.shared_comments,
	);
	if (isKept && after.shared.size === before.shared.size + 1) return;
	throw new CommandError('The second run should have added one share and left all others alone.');
}

/** Checks that each story has exactly one short link, the one in its comment. */
async function checkLinks(stage: Stage, all: Shared[]): Promise<void> {
	const links = await linksOf(stage);
	for (const { story, shortUrl } of all) {
		const found = links.filter(({ longUrl }) => longUrl === story.story_permalink);
		if (found.length !== 1 || found[0]?.shortUrl !== shortUrl) {
			throw new CommandError(`"${story.story_title}" has ${found.length} short links instead of one.`);
		}
	}
}

/** Lists all short links with the node, which waits for the rate limit. */
async function linksOf({ engine, workflow }: Stage): Promise<Array<Record<string, unknown>>> {
	const creator = workflow.nodes.find(({ name }) => name === 'Short Link');
	if (!creator) throw new CommandError('The workflow has no node "Short Link".');
	const list = {
		...creator,
		name: 'List',
		parameters: { resource: 'shortLink', operation: 'getAll', returnAll: true },
	};
	const { error, json } = await engine.run({
		workflow: chain({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }, list),
	});
	if (error) throw new CommandError(`The short links could not be listed: ${error.message}`);
	return json('List');
}

/** Publishes the new story and makes the service fetch its feeds immediately. */
async function publish(origin: string): Promise<void> {
	const { feed, ...story } = newStory;
	await control(`${origin}/sandbox/feeds/${feed}/publish`, story);
	await control(`${origin}/reader-service/sandbox/fetch`, {});
}

async function control(url: string, body: object): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new CommandError(`${url} answers ${response.status}: ${await response.text()}`);
}
