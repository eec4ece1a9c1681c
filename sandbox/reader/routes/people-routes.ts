import { Fault, Rejection } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { socialFeeds } from '../feeds/followed-shares.ts';
import {
	compactProfile,
	connectedServices,
	followedBy,
	followersOf,
	ownProfile,
	publicProfile,
} from '../social/profile-records.ts';
import { commonFollows, follow, mute, relation, standing, unfollow, unmute } from '../social/relations.ts';
import { inList, type UserRow } from '../storage/queries.ts';
import { needUser } from './search-routes.ts';

/** Maximum number of users in search results, seen on real hosts. */
const foundFriends = 3;

function loadFriends(call: Call): object {
	const { reader, user } = call;
	const known = new Set([user.id, ...followedBy(reader, user.id)]);
	const others = call.db
		.all<UserRow>('SELECT * FROM reader_users WHERE is_demo = 0 AND is_private = 0 ORDER BY id')
		.filter(({ id }) => !known.has(id));
	const self = reader.isReal ? [user.id] : [];
	return {
		services: connectedServices(reader, user),
		autofollow: true,
		user_profile: ownProfile(reader, user),
		following_profiles: listedProfiles(call, [...followedBy(reader, user.id), ...self]),
		follower_profiles: listedProfiles(call, [...followersOf(reader, user.id), ...self]),
		recommended_users: others.slice(0, 5).map((other) => compactProfile(reader, other)),
	};
}

/** Real hosts fail without it. */
function otherUser(call: Call): UserRow {
	const given = call.parameters.text('user_id');
	if (given === undefined) throw new Fault('Missing parameter: user_id', 500);
	return needUser(call, given);
}

/** An account's profile and its relation to the user; on real hosts also the people whom both follow. */
function relatedProfile({ reader, user }: Call, other: UserRow): Record<string, unknown> {
	return {
		...publicProfile(reader, other),
		...commonFollows(reader, user, other),
		...relation(reader, user, other),
	};
}

/** People followed and followers, as real hosts list them in full. */
function listedProfiles({ reader, user }: Call, ids: number[]): Record<string, unknown>[] {
	return reader.db
		.all<UserRow>(
			'SELECT * FROM reader_users WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
			inList(ids),
		)
		.map((other) => ({
			...publicProfile(reader, other),
			...standing(reader, user, other),
		}));
}

function followUser(call: Call): object {
	const { reader, user } = call;
	const followed = otherUser(call);
	const isSelf = followed.id === user.id;
	if (isSelf && !reader.isReal) throw new Rejection('You cannot follow yourself.');
	if (!isSelf) follow(reader, user, followed);
	return {
		user_profile: ownProfile(reader, user),
		follow_profile: relatedProfile(call, followed),
		follow_subscription: socialFeeds(reader, user).filter(
			(feed) => feed.subscription_user_id === followed.id,
		),
	};
}

function unfollowUser(call: Call): object {
	const { reader, user } = call;
	const followed = otherUser(call);
	unfollow(reader, user, followed);
	return {
		user_profile: ownProfile(reader, user),
		unfollow_profile: relatedProfile(call, followed),
	};
}

function muting(change: typeof mute): Route['handle'] {
	return (call) => {
		const { reader, user } = call;
		change(reader, user, needUser(call, call.parameters.text('user_id')));
		return { code: 1, user_profile: publicProfile(reader, user) };
	};
}

/** Contract: by name, e-mail, or part of the title of a share feed. */
function findFriends(call: Call): object {
	const query = call.need('query').trim().toLowerCase();
	const everybody = call.db.all<UserRow>('SELECT * FROM reader_users ORDER BY id').map((user) => ({
		user,
		name: user.username.toLowerCase(),
		email: user.email.toLowerCase(),
		title: String(compactProfile(call.reader, user)['feed_title']).toLowerCase(),
	}));

	const found = firstFound(everybody, query);
	const limit = call.parameters.integer('limit', foundFriends, 1);
	const profiles = found.slice(0, limit).map(({ user }) => ({
		...publicProfile(call.reader, user),
		...standing(call.reader, call.user, user),
	}));
	return { profiles };
}

interface Findable {
	user: UserRow;
	name: string;
	email: string;
	title: string;
}

/** As seen on real hosts: searches one field after the other until a user is found. */
function firstFound(everybody: readonly Findable[], query: string): Findable[] {
	const tests: ((one: Findable) => boolean)[] = [
		({ email }) => query.includes('@') && email === query,
		({ name }) => name === query,
		({ name }) => name.includes(query),
		({ title }) => title.includes(query),
		({ user }) => user.location.toLowerCase().includes(query),
	];
	for (const test of tests) {
		const found = everybody.filter(test);
		if (found.length > 0) return found;
	}
	return [];
}

export const peopleRoutes: readonly Route[] = [
	read('/social/load_user_friends', loadFriends),
	write('/social/follow', followUser),
	write('/social/unfollow', unfollowUser),
	write('/social/mute_user', muting(mute)),
	write('/social/unmute_user', muting(unmute)),
	read('/social/find_friends', findFriends),
];
