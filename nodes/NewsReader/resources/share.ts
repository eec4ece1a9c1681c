import type { IDataObject } from 'n8n-workflow';
import { internal, prominent, required, type Form } from '../../runtime/fields/field';
import { choice, severalOf, text } from '../../runtime/fields/kinds';
import { locator } from '../../runtime/fields/locator';
import {
	aText,
	anInteger,
	anything,
	listOf,
	make,
	optional,
	orElse,
	record,
} from '../../runtime/table/record';
import {
	operation,
	resource,
	simplified,
	type Operation,
	type Output,
	type Api,
} from '../../runtime/table/operation';
import { isRecord, omit, toInteger, toText } from '../../runtime/values';
import { acceptsHtml, acceptsPage, answerFormat, otherHosts, storyForm } from '../fields/formats';
import { feedModes, feedOfHash, sourceUser, storyIdOrHash, userId } from '../fields/locators';
import { order, readFilter } from '../fields/storyFilters';
import { singlePage, storyPages, topOrUnder } from '../lists';
import { withoutEnvelope } from '../model/answers';
import { withFeedTitles } from '../model/feedTitles';
import { inOurNames } from '../model/names';
import {
	fullProfileRecord,
	INSIDE_PROFILE,
	PROFILE_NAMES,
	profileRecord,
	simpleProfile,
	simplifyProfile,
} from '../model/people';
import { storyHistories } from '../model/feeds';
import { simpleStory, simplifyStory, storyRecord } from '../model/stories';
import { sharedOutput } from '../model/sharedStories';
import { entriesOf, entryRecord } from '../model/syndication';
import { listedRecord } from '../../runtime/table/outputs';
import { cited, orHtml, orSuccess, wholeAnswer } from '../outputs';

/** Whose share feed; the service knows it by the number, the name is part of its full address. */
const owner = {
	user_id: userId,
	username: internal(
		prominent(
			text('User Name', {
				parameter: 'shareUsername',
				example: 'ada',
				description: 'What the address asked for ends with; the user’s number is enough',
			}),
		),
	),
};

const simpleShared = record({ ...omit(simpleStory.members, 'content'), comment: optional(aText) });

/** Of which feed a shared story is: the service wants it told, and a hash tells it. */
const storyFeed = {
	...prominent(
		locator('Feed', {
			...feedModes,
			description: 'Only needed beside a story’s ID: its hash names the feed',
		}),
	),
	required: true,
};

function withFeed<Body extends { feed_id?: number; story_id: string }>(
	body: Body,
	refuse: Form['refuse'],
): Body {
	const feed_id = body.feed_id ?? feedOfHash(body.story_id);
	if (feed_id !== undefined) return { ...body, feed_id };
	throw refuse(storyFeed.label, 'is empty', 'Choose the feed of the story, or give the story’s hash');
}

/** What is known of a story that is shared, or no longer is: it is named by its hash, or by its own ID and its feed. */
function knownOf({ story_id: id, feed_id, comments }: Record<string, unknown>): Record<string, unknown> {
	const feedId = feedOfHash(toText(id));
	return {
		...(feedId === undefined ? { id, feedId: feed_id } : { hash: id, feedId }),
		comment: comments,
	};
}

/** The story as it is after it was shared or no longer is. */
const sharedStory: Output = orHtml(
	orSuccess(
		{
			kind: storyRecord,
			pick: ({ json }) => (isRecord(json) ? json.story : undefined),
			simple: simplified(
				simpleShared,
				(story, answer) =>
					make(simpleShared, {
						...omit(simplifyStory(story, answer, { content: 'none' }), 'content'),
						...('shared_comments' in story && { comment: story.shared_comments }),
					}),
				withFeedTitles,
			),
		},
		{ members: {}, of: knownOf },
	),
);

/** Settings come flat, where the caller's `user_id` hides the user's own (seen in the wild). */
const settings: Output = {
	kind: profileRecord,
	pick: (answer) => {
		const profile = withoutEnvelope(answer);
		if (!profile) return undefined;
		const id = toInteger(toText(profile.id).replace(/^social:/, ''));
		return { ...profile, user_id: id ?? profile.id };
	},
	simple: cited(simplified(simpleProfile, simplifyProfile)),
};

function readEntries(xml: string, api: Api): IDataObject[] {
	try {
		return entriesOf(xml);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw api.failure(`The share feed can't be read: ${reason}`, 'Choose File as the Result to see it.');
	}
}

const page = record({ html: aText });

/** The file of a feed is told by its name. */
const feedFile = record({ fileName: aText });

const statistics = record({
	average_stories_per_month: anInteger,
	stories_last_month: anInteger,
	subscriber_count: anInteger,
	num_subscribers: anInteger,
	classifier_counts: anything,
	...storyHistories,
});

const shareTrainer = record({
	...fullProfileRecord.members,
	classifiers: anything,
	feed_tags: optional(listOf(anything)),
	feed_authors: optional(listOf(anything)),
});

const getFeed: Operation = operation('GET /social/rss/{user_id}/{username?}', {
	name: 'Get RSS Feed',
	action: 'Get the RSS of a share feed',
	description: 'Get the public feed of somebody’s shared stories, as items or as a file',
	path: owner,
	form: {
		result: required(
			choice(
				'Result',
				{ file: 'File', items: 'Items' },
				{
					parameter: 'feedResult',
					default: 'items',
					description: 'One item a story, or the RSS in the binary field data',
				},
			),
		),
	},
	prepare: () => ({ accepts: 'anything' }),
	output: listedRecord(orElse(entryRecord, feedFile.members)),
	run: async ({ form, path }, api, parts) => {
		const answer = await api.ask(getFeed, parts);
		if (form.result === 'file') {
			const fileName = `shares-${path.user_id}.xml`;
			const data = await api.file(answer.bytes, fileName, 'application/rss+xml');
			return [{ json: make(feedFile, { fileName }), binary: { data } }];
		}
		return await api.results(readEntries(answer.text, api), answer);
	},
});

export const share = resource(
	'Share',
	{ description: 'Share feeds: the stories that you and others share, each with a comment' },
	{
		create: operation('POST /social/share_story', {
			name: 'Create',
			action: 'Share a story',
			description: 'Share a story to your share feed; sharing it again changes the comment',
			body: {
				story_id: storyIdOrHash,
				feed_id: storyFeed,
				comments: prominent(
					text('Comment', {
						parameter: 'comment',
						example: 'Worth the time',
						rows: 3,
						description: 'What you say about the story',
					}),
				),
				source_user_id: sourceUser,
				post_to_services: severalOf(
					'Post to Services',
					{ facebook: 'Facebook', twitter: 'Twitter' },
					{ parameter: 'postToServices', description: 'Connected services to post the story to as well' },
				),
				format: answerFormat,
			},
			prepare: (inputs, refuse) => ({ ...acceptsHtml(inputs), body: withFeed(inputs.body, refuse) }),
			output: sharedStory,
		}),
		delete: operation('POST /social/unshare_story', {
			name: 'Delete',
			action: 'Unshare a story for good',
			description: 'Take a story out of your share feed, with all comments and replies on it',
			body: { story_id: storyIdOrHash, feed_id: storyFeed, format: answerFormat },
			prepare: (inputs, refuse) => ({ ...acceptsHtml(inputs), body: withFeed(inputs.body, refuse) }),
			output: sharedStory,
		}),
		getAll: operation('GET /social/stories/{user_id}/{username?}', {
			name: 'Get Many',
			action: 'Get many shared stories',
			description: 'List the stories of a share feed',
			path: owner,
			query: {
				order,
				read_filter: readFilter('all'),
			},
			form: storyForm,
			paging: storyPages,
			output: sharedOutput,
		}),
		getFeed,
		getPage: operation('GET /social/page/{user_id}/{username?}', {
			name: 'Get Page',
			action: 'Get the page of a share feed',
			description: 'Get somebody’s share feed as a web page',
			path: owner,
			form: { otherHosts },
			prepare: ({ form }) => acceptsPage(form),
			output: { kind: page, pick: ({ text: html }) => make(page, { html }) },
		}),
		getSettings: operation('GET /social/settings/{user_id}/{username?}', {
			name: 'Get Settings',
			action: 'Get the settings of a share feed',
			description: 'Get the full profile behind a share feed',
			path: owner,
			output: settings,
		}),
		getStatistics: operation('GET /social/statistics/{user_id}/{username?}', {
			name: 'Get Statistics',
			action: 'Get the statistics of a share feed',
			description: 'Get how much is shared and when, and who reads it',
			path: owner,
			output: wholeAnswer(statistics, { classifierCounts: anything }),
		}),
		getTrainer: operation('GET /social/feed_trainer', {
			name: 'Get Trainer',
			action: 'Get the classifiers of a share feed',
			description: 'Get the tags and authors of a share feed, with what you like and dislike of them',
			query: { user_id: userId },
			paging: singlePage(topOrUnder('feeds'), 'classifiers'),
			output: inOurNames(listedRecord(shareTrainer), PROFILE_NAMES, INSIDE_PROFILE),
		}),
	},
);
