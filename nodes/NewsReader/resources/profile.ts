import type { IDataObject } from 'n8n-workflow';
import type { Paging } from '../../runtime/api-types';
import { choice, flag, text } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, anything, aText, extended, listOf, record } from '../../runtime/table/record';
import { operation, resource, recordUnder } from '../../runtime/table/operation';
import { isRecord, toBoolean } from '../../runtime/values';
import { acceptsHtml, responseFormat } from '../fields/formats';
import { anyUser } from '../fields/locators';
import { orHtmlPages } from '../lists';
import { membersOf, messageOf } from '../model/responses';
import { inOurNames, simplifiedTo } from '../model/records';
import {
	fullProfileRecord,
	INSIDE_PROFILE,
	interactionKey,
	PROFILE_NAMES,
	simpleInteraction,
} from '../model/people';
import { withSource, orHtml, orSuccess } from '../outputs';

const ownProfile = record({
	...fullProfileRecord.members,
	photo_service: aText.described('Where the photo comes from'),
	following_user_ids: listOf(anInteger).described('IDs of the users followed'),
	follower_user_ids: listOf(anInteger).described('IDs of the followers'),
	muting_user_ids: listOf(anInteger).described('IDs of the users you mute'),
	custom_css: aText.described('CSS of the share page'),
	custom_bgcolor: aText.described('Background color of the share page'),
	bb_permalink_direct: aBoolean.described('Whether titles on the share page link to the original story'),
});

/** The service requires all of these, and cuts or refuses longer ones (Bio: interface document; others: seen in the wild). */
const profileTexts = {
	location: text('Location', {
		example: 'Oslo',
		longest: 40,
		description: 'Your location, as others see it',
	}),
	bio: text('Bio', {
		example: 'Reads more than is good',
		rows: 3,
		longest: 160,
		description: 'Who you are, in at most 160 characters',
	}),
	website: text('Website', {
		example: 'https://example.com',
		longest: 200,
		description: 'The address of your own site',
	}),
	photo_service: choice(
		'Photo Service',
		{ facebook: 'Facebook', gravatar: 'Gravatar', twitter: 'Twitter' },
		{ description: 'Where your photo comes from' },
	),
};

/** If these flags are not sent, the service sets them to false: a private share feed becomes public (seen in the wild). */
const privacy = {
	private: flag('Private', 'only users whom you let follow you see your share feed'),
	protected: flag('Protected', 'only users whom you let follow you may reply to you'),
};

/** What every change must send again, or the service drops it. */
function keptOf(profile: Record<string, unknown>): Record<string, unknown> {
	const kept = Object.keys(profileTexts).map((name) => [name, profile[name] ?? '']);
	const flags = Object.keys(privacy)
		.filter((name) => name in profile)
		.map((name) => [name, toBoolean(profile[name]) ?? false]);
	return Object.fromEntries([...kept, ...flags]) as Record<string, unknown>;
}

/** Pages of interactions or activities: four each, newest first. */
const interactionPages = (collection: 'interactions' | 'activities'): Paging =>
	orHtmlPages({
		collection,
		pageSize: Infinity,
		query: (page) => ({ page }),
		identity: (entry) => interactionKey(entry as IDataObject),
		read: ({ json }, page) => {
			const records = isRecord(json) ? membersOf(json[collection]) : undefined;
			if (!isRecord(json) || !records) return undefined;
			const isWithheld = page === 1 && records.length === 0;
			return {
				records,
				more: records.length > 0 && (toBoolean(json.has_next_page) ?? true),
				...(isWithheld && { error: messageOf(json) }),
			};
		},
	});

const interactionOutput = orHtml(withSource(simplifiedTo(simpleInteraction)));

export const profile = resource(
	'Profile',
	{ description: 'Your profile, activities and interactions' },
	{
		get: operation('GET /social/load_user_profile', {
			action: 'Get the profile',
			description: 'Get your profile and its connected services',
			output: inOurNames(
				{
					schema: extended(ownProfile, { services: anything.described('Connected services') }),
					select: ({ json }) =>
						isRecord(json) && isRecord(json.user_profile)
							? { ...json.user_profile, ...('services' in json && { services: json.services }) }
							: undefined,
				},
				PROFILE_NAMES,
				[...INSIDE_PROFILE, 'services'],
			),
		}),
		getActivities: operation('GET /social/activities', {
			action: 'Get many activities',
			description: 'List a user’s activities, such as follows, shares, replies, saved stories, subscriptions',
			query: { user_id: anyUser, format: responseFormat },
			prepare: acceptsHtml,
			paging: interactionPages('activities'),
			output: interactionOutput,
		}),
		getInteractions: operation('GET /social/interactions', {
			action: 'Get many interactions',
			description: 'List what others did to a user: follows, replies and likes',
			query: { user_id: anyUser, format: responseFormat },
			prepare: acceptsHtml,
			paging: interactionPages('interactions'),
			output: interactionOutput,
		}),
		update: operation('POST /social/save_user_profile', {
			action: 'Update the profile',
			description: 'Change your profile; blank fields stay unchanged',
			body: { ...profileTexts, ...privacy },
			prepare: async ({ body }, api) => {
				if (Object.keys(body).length === 0)
					throw api.inputError('There is nothing to update', 'Add at least one field');
				const { json } = await api.send({ method: 'GET', path: '/social/load_user_profile' });
				const profile = isRecord(json) && isRecord(json.user_profile) ? json.user_profile : undefined;
				if (!profile) throw api.apiError('The service did not return the profile', 'Try again later.');
				return { body: { ...keptOf(profile), ...body } };
			},
			output: orSuccess(inOurNames(recordUnder('user_profile', ownProfile), PROFILE_NAMES, INSIDE_PROFILE)),
		}),
	},
);
