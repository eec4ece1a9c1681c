import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, Paging } from '../../runtime/api-types';
import { choice, flag, text } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, anything, aText, extended, listOf, record } from '../../runtime/table/record';
import { operation, resource, recordUnder } from '../../runtime/table/operation';
import { asRecord, isRecord, toBoolean } from '../../runtime/values';
import { acceptsHtml, responseFormat } from '../fields/formats';
import { anyUser } from '../fields/locators';
import { orHtmlPages } from '../lists';
import { membersOf, messageOf } from '../model/responses';
import { simplifiedTo } from '../model/records';
import { fullProfileRecord, interactionKey, profileInOurNames, simpleInteraction } from '../model/people';
import { withSource, orHtml, orSuccess } from '../outputs';

const ownProfile = record({
	...fullProfileRecord.members,
	photo_service: aText.described('Where the photo comes from'),
	following_user_ids: listOf(anInteger).described('IDs of the users followed, at most 48'),
	follower_user_ids: listOf(anInteger).described('IDs of the followers, at most 48'),
	muting_user_ids: listOf(anInteger).described('IDs of the users you mute; null if the service does not say'),
	custom_css: aText.described('CSS of the share page'),
	custom_bgcolor: aText.described('Background color of the share page'),
	bb_permalink_direct: aBoolean.described('Whether titles on the share page link to the original story'),
});

/** The service requires them all, and cuts or refuses longer ones (Bio: interface document; others: seen in the wild). */
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

/** Without these flags, a private share feed becomes public (seen in the wild). */
const privacy = {
	private: flag('Private', 'only followers see your share feed; without Protected, anyone can follow you'),
	protected: flag('Protected', 'only users whom you let follow you may reply to you'),
};

/** Pages of interactions or activities: four each, newest first. */
const interactionPages = (collection: 'interactions' | 'activities'): Paging =>
	orHtmlPages({
		collection,
		pageSize: Infinity,
		query: (page) => ({ page }),
		identity: (entry) => interactionKey(entry as IDataObject),
		read: ({ json }, page) => {
			const { [collection]: listed, has_next_page: hasNext } = asRecord(json);
			const records = membersOf(listed);
			const isEmpty = records?.length === 0;
			const error = page === 1 && isEmpty ? messageOf(json) : undefined;
			return records && { records, more: !isEmpty && (toBoolean(hasNext) ?? true), error };
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
			output: profileInOurNames({
				schema: extended(ownProfile, { services: anything.described('Connected services') }),
				select: ({ json }: ApiResponse) => {
					const { user_profile: own, services } = asRecord(json);
					return isRecord(own) ? { ...own, services } : undefined;
				},
			}),
		}),
		getActivities: operation('GET /social/activities', {
			action: 'Get many activities',
			description: 'List a user’s follows, shares, replies and likes, or all activities of your own',
			query: { user_id: anyUser, format: responseFormat },
			prepare: acceptsHtml,
			paging: interactionPages('activities'),
			output: interactionOutput,
		}),
		getInteractions: operation('GET /social/interactions', {
			action: 'Get many interactions',
			description:
				'List what others did to you, or to a user (older servers): follows, replies, likes and reshares',
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
					throw api.inputError('There is nothing to update', 'Enter a value in at least one field');
				const { json } = await api.send({ method: 'GET', path: '/social/load_user_profile' });
				const { user_profile: own } = asRecord(json);
				if (!isRecord(own)) throw api.apiError('The service did not return the profile', 'Try again later.');
				// What is not sent again, the service drops.
				const texts = Object.keys(profileTexts).map((name) => [name, own[name] ?? '']);
				const flags = Object.keys(privacy)
					.filter((name) => name in own)
					.map((name) => [name, toBoolean(own[name]) ?? false]);
				return { body: { ...Object.fromEntries([...texts, ...flags]), ...body } };
			},
			output: orSuccess(profileInOurNames(recordUnder('user_profile', ownProfile))),
		}),
	},
);
