import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse, ItemApi, RequestParts, Result } from '../../runtime/api-types';
import { requiredText } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, listOf } from '../../runtime/table/record';
import { operation, resource, type Output, type Route } from '../../runtime/table/operation';
import { asRecord, isRecord, toText } from '../../runtime/values';
import { userId } from '../fields/locators';
import { singlePage } from '../lists';
import { membersOf, recordsIn } from '../model/responses';
import { aboutUser, isFollowed, profileMembers, simpleProfile } from '../model/people';
import { selection, simplifiedTo } from '../model/records';
import { withSource, orSuccess, success } from '../outputs';

const simpleFriend = selection({
	...profileMembers,
	following: ['following', aBoolean.described('Whether you follow the user')],
	follower: ['follower', aBoolean.described('Whether the user follows you')],
	you: ['you', aBoolean.described('Whether the user is you')],
});

/** The service finds three users unless the request has a limit (seen in the wild); it has no pages. */
const MOST_FOUND = 1000;

/** Users you follow and followers, each once. You come last. */
function friendsOf({ json }: ApiResponse): IDataObject[] | undefined {
	const { following_profiles, follower_profiles, user_profile } = asRecord(json);
	if (!membersOf(following_profiles) || !membersOf(follower_profiles)) return undefined;
	const following = recordsIn(following_profiles);
	const followers = recordsIn(follower_profiles);
	const you = recordsIn([user_profile]);
	const has = (list: IDataObject[], id: unknown): boolean => list.some(({ user_id: other }) => other === id);
	const others = [...following, ...followers].filter(({ user_id: id }) => !has(you, id));
	const byId = new Map([...others, ...you].map((profile) => [profile.user_id, profile]));
	return [...byId].map(([id, profile]) => ({
		...profile,
		following: has(following, id),
		follower: has(followers, id),
		you: has(you, id),
	}));
}

const simpleUser = selection({
	...profileMembers,
	followedByYou: ['followed_by_you', aBoolean.described('Whether you follow the user')],
	followingYou: ['following_you', aBoolean.described('Whether the user follows you')],
	requestedFollow: ['requested_follow', aBoolean.described('Whether you asked to follow the user')],
	commonFollowers: ['followers_youknow', listOf(anInteger).described('Followers whom you follow, or you')],
	commonFollowings: ['following_youknow', listOf(anInteger).described('Users whom you both follow, or you')],
});

/** The profile under a key, with the ids of users beside it. */
const profileUnder = (key: string): Output =>
	withSource(
		simplifiedTo(simpleUser, ({ json }) => {
			if (!isRecord(json) || !isRecord(json[key])) return undefined;
			const beside = Object.entries(json).filter(([name]) => /^follow\w+_(?:youknow|everybody)$/.test(name));
			return { ...json[key], ...Object.fromEntries(beside) };
		}),
	);

function followChange(route: Route, verb: 'follow' | 'unfollow', description: string) {
	const key = `${verb}_profile`;
	return operation(route, {
		description,
		body: { user_id: userId },
		output: orSuccess(profileUnder(key)),
		run: async ({ body }, api, parts) => {
			const response = await aboutUser(body.user_id, api, api.ask(api.row, parts));
			if (isFollowed(response, key) === (verb === 'unfollow')) {
				throw api.apiError(
					`The service did not ${verb} user ${body.user_id}`,
					`${verb === 'unfollow' ? 'Nobody can unfollow themselves. ' : ''}If another client undid this at the same time, run it again.`,
					'undone',
				);
			}
			return [await api.resultIn(response)];
		},
	});
}

/** Sends the request, and says so if the user does not exist. */
const runAboutUser = async (_: unknown, api: ItemApi, parts: RequestParts): Promise<Result[]> => {
	const id = Number(parts.query.user_id ?? parts.body.user_id);
	return [await api.resultIn(await aboutUser(id, api, api.ask(api.row, parts)))];
};

const muteChange = (route: Route, description: string) =>
	operation(route, {
		description,
		idempotent: true,
		body: { user_id: userId },
		output: success,
		run: runAboutUser,
	});

export const user = resource(
	'User',
	{
		description: 'Other users of the service',
		listing: {
			list: 'getAll',
			sorted: true,
			label: (entry) => `${toText(entry.username)}${entry.you ? ' (you)' : ''}`,
			id: (entry) => entry.user_id as number,
		},
	},
	{
		find: operation('GET /social/find_friends', {
			action: 'Find users',
			description: 'Find up to 1,000 users by name or email, else part of a share feed’s title or location',
			query: {
				query: requiredText('User Search', {
					paramName: 'userQuery',
					example: 'ada',
					description: 'A name, an email address, or part of a title or location',
				}),
			},
			prepare: ({ query }) => ({ query: { query: query.query.trim() } }),
			paging: singlePage('profiles', 'users', MOST_FOUND),
			output: withSource(simplifiedTo(simpleProfile)),
		}),
		follow: followChange(
			'POST /social/follow',
			'follow',
			'Follow a user and subscribe to the user’s share feed, or ask a protected user for it',
		),
		get: operation('GET /social/profile', {
			description: 'Get a user’s public profile, with the users you both know',
			query: { user_id: userId },
			output: profileUnder('user_profile'),
			run: runAboutUser,
		}),
		getAll: operation('GET /social/load_user_friends', {
			action: 'Get many friends',
			description: 'List the users you follow, your followers, and yourself',
			paging: singlePage(friendsOf, 'friends'),
			output: withSource(simplifiedTo(simpleFriend)),
		}),
		mute: muteChange('POST /social/mute_user', 'Hide the comments of a user whom you don’t follow'),
		unfollow: followChange(
			'POST /social/unfollow',
			'unfollow',
			'Stop following a user and unsubscribe from the user’s share feed',
		),
		unmute: muteChange('POST /social/unmute_user', 'Show a user’s comments again'),
	},
);
