import type { IDataObject } from 'n8n-workflow';
import { prominent } from '../../runtime/fields/field';
import { aText, anInteger, record } from '../../runtime/table/record';
import { operation, type Result, type Tools } from '../../runtime/table/operation';
import type { Answer } from '../../runtime/transport/http';
import { isRecord, toInteger } from '../../runtime/values';
import { chosenFeedsIfAny, feedsOfChoice, whichFeeds } from './feedChoice';
import { each, membersOf } from './shared';
import { storyForm, storyOutput } from './stories';
import { byHash, hashAndDate, HASHES_PER_REQUEST, type StoryHash } from './storyAnswers';
import { includeTimestamps, order } from './storyFilters';
import { storiesByHash } from './storiesByHash';

/** A longer list of feeds makes the URL too long: then all are asked for, and the others left out. */
const MOST_FEEDS = 200;

interface UnreadHash extends StoryHash {
	feed_id: number | undefined;
}

const ofFeed = (feedId: number | undefined, { story_hash, ...date }: StoryHash): UnreadHash => ({
	story_hash,
	feed_id: feedId,
	...date,
});

type Choice = Parameters<typeof feedsOfChoice>[0];

/** The hashes of unread stories, feed by feed as the service tells them; no answer where no feed is chosen. */
async function unreadOf(
	tools: Tools,
	chosen: Choice,
	query: Record<string, unknown>,
): Promise<{ hashes: UnreadHash[]; answer?: Answer }> {
	const feedIds = chosen === undefined ? undefined : await feedsOfChoice(chosen, tools);
	if (feedIds?.length === 0) return { hashes: [] };
	const asked = feedIds && feedIds.length <= MOST_FEEDS ? { feed_id: feedIds } : {};
	const answer = await tools.ask(getUnreadHashes, { query: { ...query, ...asked } });
	const { json } = answer;
	const byFeed = isRecord(json) ? json.unread_feed_story_hashes : undefined;
	const isEmptyList = Array.isArray(byFeed) && byFeed.length === 0;
	if (!isRecord(byFeed) && !isEmptyList) {
		const description = 'It answered /reader/unread_story_hashes without a list of hashes.';
		throw tools.failure('The service told no hashes', description);
	}
	const wanted = feedIds && new Set(feedIds);
	const hashes = Object.entries(byFeed as object)
		.map(([id, entries]) => ({ feedId: toInteger(id), entries: membersOf(entries) ?? [] }))
		.filter(({ feedId }) => !wanted || (feedId !== undefined && wanted.has(feedId)))
		.flatMap(({ feedId, entries }) => entries.map((entry) => ofFeed(feedId, hashAndDate(entry))));
	return { hashes, answer };
}

const time = ({ date }: UnreadHash): number => Date.parse(date ?? '') || 0;

/** Sorted by date across feeds; stories of one moment keep the service's order. */
const inOrder = (hashes: UnreadHash[], isOldestFirst: boolean): UnreadHash[] =>
	[...hashes].sort((a, b) => (isOldestFirst ? time(a) - time(b) : time(b) - time(a)));

export const getUnreadHashes = operation('GET /reader/unread_story_hashes', {
	name: 'Get Unread Hashes',
	action: 'Get the hashes of unread stories',
	description: 'List the hashes of all unread stories, without their content',
	form: { whichFeeds },
	query: { feed_id: chosenFeedsIfAny, include_timestamps: includeTimestamps },
	output: each(record({ story_hash: aText, feed_id: anInteger, date: aText })),
	run: async ({ query }, tools) => {
		const { feed_id: chosen, ...others } = query;
		const { hashes, answer } = await unreadOf(tools, chosen, others);
		const records = hashes.map((hash) => ({ ...hash }));
		return answer ? tools.results(records, answer) : [];
	},
});

/** The stories of these hashes, in their order, until `limit` are there. Those that are gone are counted. */
async function contentOf(tools: Tools, hashes: string[], limit: number): Promise<Result[]> {
	const results: Result[] = [];
	let found = 0;
	let gone = 0;
	for (let next = 0; next < hashes.length && found < limit;) {
		const size = Math.min(HASHES_PER_REQUEST, limit - found);
		const asked = hashes.slice(next, next + size);
		next += asked.length;
		const answer = await tools.ask(storiesByHash, { query: { h: asked } });
		const stories: IDataObject[] = [];
		for (const hash of asked) {
			const outcome = byHash.outcome(answer, hash);
			if ('failure' in outcome) throw tools.failure(outcome.failure, `The service said this of ${hash}.`);
			if ('record' in outcome) stories.push(outcome.record);
		}
		found += stories.length;
		gone += asked.length - stories.length;
		results.push(...tools.results(stories, answer));
	}
	if (gone > 0) tools.hint(`Left out because the service no longer has them: ${gone} of the unread stories`);
	return results;
}

/** What clients do: the hashes of what is unread, then the content of as many as are wanted. */
export const getUnread = operation('GET /reader/unread_story_hashes', {
	name: 'Get Unread',
	action: 'Get unread stories',
	description: 'List the unread stories of all feeds, of some, or of a folder, with their content',
	composite: true,
	limited: true,
	form: { whichFeeds, chosenFeeds: chosenFeedsIfAny, order: prominent(order), ...storyForm },
	output: storyOutput,
	run: async ({ form }, tools) => {
		const limit = tools.limit();
		const { hashes } = await unreadOf(tools, form.chosenFeeds, { include_timestamps: true });
		const wanted = inOrder(hashes, form.order === 'oldest').map((hash) => hash.story_hash);
		return await contentOf(tools, [...new Set(wanted)], limit);
	},
});
