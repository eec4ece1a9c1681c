import type { IDataObject } from 'n8n-workflow';
import type { Api, RequestParts } from '../../runtime/api-types';
import { advanced } from '../../runtime/fields/field';
import { severalOf, text, requiredChoice } from '../../runtime/fields/kinds';
import {
	aBoolean,
	aText,
	anInteger,
	listOf,
	exact,
	extended,
	union,
	record,
	optional,
} from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { asRecord, omit, reasonOf, toText } from '../../runtime/values';
import { acceptsHtml, acceptsPage, responseFormat, otherHosts, storyParams } from '../fields/formats';
import { feedOfHash, feedOfStory, sourceUser, storyFeed, storyId, userId } from '../fields/locators';
import { readFilter, shareOrder } from '../fields/story-filters';
import { singlePage, storyPages } from '../lists';
import { withoutEnvelope } from '../model/responses';
import { withFeedTitles, storyMembers, sharedOutput } from '../model/stories';
import { inOurNames, selection, simplifiedTo, type Selection } from '../model/records';
import { fullProfileRecord, profileInOurNames, simpleProfile } from '../model/people';
import { classifierCounts, storyHistories, trainerMembers } from '../model/feeds';
import { feedEntries, entryRecord } from '../model/syndication';
import { withSource, orHtml, orSuccess } from '../outputs';

/** The service needs only the id; the name completes the address. */
const owner = {
	user_id: userId,
	username: advanced(
		text('User Name', {
			paramName: 'shareUsername',
			example: 'ada',
			description: 'The name at the end of the share feed’s address. Optional: the ID is enough.',
		}),
	),
};

const sharedMembers = {
	...omit(storyMembers, 'content'),
	comment: ['shared_comments', aText.described('Text of the comment')],
} as const;

/** The response to Delete does not say whether the story is saved. */
const UNSAID = 'Always null: the service does not say it here';
const unsharedMembers = {
	...sharedMembers,
	starred: [() => undefined, aBoolean.described(UNSAID)],
	userTags: [() => undefined, listOf(aText).described(UNSAID)],
	highlights: [() => undefined, listOf(aText).described(UNSAID)],
} as const;

function sentMembersOf(body: Record<string, unknown>): Record<string, unknown> {
	const { story_id: id, feed_id: feedId, comments: comment } = body;
	return { [feedOfHash(toText(id)) === undefined ? 'id' : 'hash']: id, feedId, comment };
}

/** The service requires the feed of a story even with a hash. */
const sharing = (simple: Selection) => ({
	prepare: (
		{ body }: { body: { feed_id?: number; story_id: string; format?: string } },
		api: Api,
	): Partial<RequestParts> => ({
		...acceptsHtml({ query: {}, body }),
		body: { ...body, feed_id: feedOfStory(body.story_id, body.feed_id, api) },
	}),
	output: orHtml(
		orSuccess(
			simplifiedTo(simple, ({ json }) => asRecord(json).story, withFeedTitles),
			{ members: {}, from: sentMembersOf },
		),
	),
});

/** The `user_id` beside the settings is the caller's (seen in the wild). */
const shareSettings = withSource(
	simplifiedTo(simpleProfile, (response) => {
		const profile = withoutEnvelope(response);
		return profile && { ...profile, user_id: toText(profile.id).replace(/^social:/, '') };
	}),
);

function readEntries(xml: string, api: Api): IDataObject[] {
	try {
		return feedEntries(xml);
	} catch (error) {
		const message = `The share feed can't be read: ${reasonOf(error)}`;
		throw api.apiError(message, 'Choose File as the Result to see it.');
	}
}

const feedFile = record({ fileName: aText.described('Name of the file in the binary field data') });

const shareStatistics = record({
	average_stories_per_month: anInteger.described('Average number of stories shared in a month'),
	stories_last_month: optional(anInteger).described('Shares in the last month; null if unknown'),
	subscriber_count: anInteger.described('Number of subscribers'),
	num_subscribers: anInteger.described('Number of subscribers'),
	...classifierCounts,
	...storyHistories,
});

export const share = resource(
	'Share',
	{ description: 'Share feeds: the stories that you and others share, each with a comment' },
	{
		create: operation('POST /social/share_story', {
			action: 'Share a story',
			description: 'Share a story to your share feed; sharing it again replaces the comment',
			body: {
				story_id: storyId,
				feed_id: storyFeed,
				comments: text('Comment', {
					paramName: 'comment',
					alwaysShown: true,
					example: 'Worth the time',
					rows: 3,
					description: 'Your comment on the story; blank removes that of an earlier share',
				}),
				source_user_id: sourceUser,
				post_to_services: severalOf(
					'Post to Services',
					{ facebook: 'Facebook', twitter: 'Twitter' },
					{ description: 'Connected services to post the story to' },
				),
				format: responseFormat,
			},
			...sharing(selection(sharedMembers)),
			present: async ({ body }, response, api) => {
				const { story, user_id: own } = asRecord(response.json);
				const { share_user_ids: sharers } = asRecord(story);
				// The service shares one story of an ID, and confirms another without a change (seen in the wild).
				if (own !== undefined && Array.isArray(sharers) && !sharers.map(toText).includes(toText(own))) {
					const reason =
						'You share a story with this ID of another feed. Share that one again, or unshare it.';
					throw api.apiError(`The service did not share ${body.story_id}`, reason, 'undone');
				}
				return [await api.resultIn(response)];
			},
		}),
		delete: operation('POST /social/unshare_story', {
			action: 'Unshare a story for good',
			description: 'Remove a story from your share feed, with its comments and replies',
			body: { story_id: storyId, feed_id: storyFeed, format: responseFormat },
			...sharing(selection(unsharedMembers)),
		}),
		getAll: operation('GET /social/stories/{user_id}/{username?}', {
			action: 'Get many shared stories',
			description: 'List the stories of a share feed',
			path: owner,
			query: { order: shareOrder, read_filter: readFilter('all') },
			params: storyParams,
			paging: storyPages,
			output: sharedOutput,
		}),
		getFeed: operation('GET /social/rss/{user_id}/{username?}', {
			name: 'Get RSS Feed',
			action: 'Get the RSS of a share feed',
			description: 'Get the public feed of a user’s newest 25 shared stories, as items or as a file',
			path: owner,
			params: {
				result: requiredChoice(
					'Result',
					{ file: 'File', items: 'Items' },
					{
						paramName: 'feedResult',
						default: 'items',
						description: 'One item for each story, or the RSS file in the binary field data',
					},
				),
			},
			prepare: () => ({ accepts: 'anything' }),
			output: listedRecord(union(entryRecord, feedFile.members)),
			present: async ({ params, path }, response, api) => {
				if (params.result === 'file') {
					const fileName = `shares-${path.user_id}.xml`;
					const data = await api.file(response.bytes, fileName, 'application/rss+xml');
					return [{ json: exact(feedFile, { fileName }), binary: { data } }];
				}
				return await api.results(readEntries(response.text, api), response);
			},
		}),
		getPage: operation('GET /social/page/{user_id}/{username?}', {
			action: 'Get the page of a share feed',
			description: 'Get a user’s share feed as a web page',
			path: owner,
			params: { otherHosts },
			prepare: acceptsPage,
			output: {
				schema: record({ html: aText.described('The web page of the share feed') }),
				select: ({ text: html }) => ({ html }),
			},
			// The page has a token with which anyone can log in as the user who reads it (seen in the wild).
			present: async (_, response, api) => {
				const text = response.text.replace(/(?<=\bsecret_token["']\s*:\s*["'])\w+/g, '***');
				return [await api.resultIn({ ...response, text })];
			},
		}),
		getSettings: operation('GET /social/settings/{user_id}/{username?}', {
			action: 'Get the settings of a share feed',
			description: 'Get the profile of a share feed’s owner',
			path: owner,
			output: shareSettings,
		}),
		getStatistics: operation('GET /social/statistics/{user_id}/{username?}', {
			action: 'Get the statistics of a share feed',
			description: 'Get how much a user shares and when, and how many read it',
			path: owner,
			output: inOurNames({ schema: shareStatistics, select: withoutEnvelope }, {}, ['classifierCounts']),
		}),
		getTrainer: operation('GET /social/feed_trainer', {
			action: 'Get the classifiers of a share feed',
			description: 'Get what you like and dislike in a share feed, with its owner’s profile',
			query: { user_id: userId },
			paging: singlePage('feeds', 'classifiers'),
			output: profileInOurNames(listedRecord(extended(fullProfileRecord, trainerMembers))),
		}),
	},
);
