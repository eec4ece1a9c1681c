import { Rejection, type RouteResponse, BareList, Fault } from '../http/response.ts';
import { read, type Call, type Route, write } from '../http/reader-route.ts';
import { eventPage } from '../social/events.ts';
import { type UserRow, inList } from '../storage/queries.ts';
import { eventsFragment, inFormat, type ShownEvent } from './fragment-routes.ts';
import { needUser, isClosed } from './search-routes.ts';
import { userById } from '../accounts.ts';
import { classifierRecord, classifiersByFeed } from '../classifiers.ts';
import {
	compactProfiles,
	connectedServices,
	followedBy,
	followersOf,
	ownProfile,
	profileWithFollows,
	publicProfile,
	compactProfile,
} from '../social/profile-records.ts';
import { withoutTags } from '../social/comments.ts';
import { commonFollows, relation, follow, mute, standing, unfollow, unmute } from '../social/relations.ts';
import { socialFeeds } from '../feeds/followed-shares.ts';

/** Interface document, "Limits". */
const eventsPerPage = 4;

/** Events stay new: only the web client marks them as seen. */
function interactions(call: Call): RouteResponse {
	const { reader, user } = call;
	const requested = call.parameters.text('user_id');
	const owner = requested ? needUser(call, requested) : user;
	if (owner.id !== user.id && reader.is2026) throw new Rejection('Access denied.', 403);
	const { events, hasNextPage } = eventsOf(call, 'interaction', owner);
	return inFormat(call, { interactions: events, page: call.page, has_next_page: hasNextPage }, () =>
		eventsFragment(call, owner, events as ShownEvent[]),
	);
}

function activities(call: Call): RouteResponse {
	const requested = call.parameters.text('user_id');
	const owner = requested ? needUser(call, requested) : call.user;
	const { events, hasNextPage } = eventsOf(call, 'activity', owner);
	const record = {
		activities: events,
		page: call.page,
		has_next_page: hasNextPage,
		username: owner.id === call.user.id ? 'You' : owner.username,
	};
	return inFormat(call, record, () => eventsFragment(call, owner, events as ShownEvent[]));
}

function eventsOf(call: Call, list: 'interaction' | 'activity', owner: UserRow) {
	return eventPage(call.reader, list, owner, call.user, {
		page: call.page,
		limit: Math.min(call.parameters.integer('limit', eventsPerPage, 1), 100),
	});
}

export const eventRoutes: readonly Route[] = [
	{ ...read('/social/interactions', interactions), access: 'write' },
	{ ...read('/social/activities', activities), access: 'write' },
];

/** Interface document, "Limits". */
const bioLength = 160;
/** Seen on real hosts: the length that a bio is cut to, and the limit for all other fields. */
const cutBioLength = 80;
const websiteLength = 200;
const locationLength = 40;

/** Interface document, "Social": the public profile, and whom the two have in common. */
function profile(call: Call): object {
	const { reader, user } = call;
	const requested = call.parameters.text('user_id');
	const owner = requested ? needUser(call, requested) : user;
	const { events } = eventPage(reader, 'activity', owner, user, {
		page: 1,
		limit: eventsPerPage,
		publicOnly: true,
	});
	const people = [...followersOf(reader, owner.id), ...followedBy(reader, owner.id)];
	const profiles = compactProfiles(reader, people);
	const common = commonFollows(reader, user, owner);
	return {
		user_profile: { ...profileWithFollows(reader, owner), ...common, ...relation(reader, user, owner) },
		...common,
		profiles: Object.fromEntries(profiles.map((row) => [row['user_id'], row])),
		activities: isClosed(call, owner) ? [] : events,
	};
}

function loadProfile(call: Call): object {
	return {
		services: connectedServices(call.reader, call.user),
		user_profile: ownProfile(call.reader, call.user, { settings: true }),
	};
}

/** Contract: every field may be left out and then stays as it is; real hosts break without all four. */
function saveProfile(call: Call): object {
	const { parameters, reader, user } = call;
	const fields = ['website', 'location', 'bio', 'photo_service'] as const;
	const missing = fields.find((name) => !parameters.has(name));
	if (missing && reader.isReal) throw new Fault(`Missing parameter: ${missing}`, 500);
	const [website = '', location = '', bio = '', photoService = ''] = fitting(
		fields.map((name) => parameters.text(name) ?? user[name]),
	);

	call.db.transaction(() => {
		call.db.run(
			`UPDATE reader_users SET website = ?, location = ?, bio = ?, photo_service = ?, is_protected = ?, is_private = ?
			WHERE id = ?`,
			website,
			location,
			bio,
			photoService,
			Number(parameters.flag('protected', false)),
			Number(parameters.flag('private', false)),
			user.id,
		);
		call.db.run('INSERT INTO reader_saved_profiles VALUES (?) ON CONFLICT DO NOTHING', user.id);
	});
	return { code: 1, user_profile: ownProfile(reader, userById(call.db, user.id) ?? user) };
}

/** Website, location, bio and photo service as they can be kept: real hosts cut one, break at others, and accept any service. */
function fitting([website = '', location = '', bio = '', photoService = '']: string[]): string[] {
	const address = website === '' || website.startsWith('http') ? website : `http://${website}`;
	const letters = [...bio];
	const cut = letters.length > bioLength ? letters.slice(0, cutBioLength).join('') : bio;
	const [site = '', place = '', ...others] = [address, location, cut].map((text) => withoutTags(text));
	if ([...site].length > websiteLength || [...place].length > locationLength) {
		throw new Fault('The website or the location is too long.', 500);
	}
	return [site, place, ...others, photoService];
}

function feedTrainer(call: Call): BareList {
	const owner = needUser(call, call.parameters.text('user_id'));
	const classifiers = classifiersByFeed(call.reader, call.user).get(`social:${owner.id}`);
	return new BareList('feeds', [
		{
			...publicProfile(call.reader, owner),
			classifiers: classifierRecord(classifiers),
			feed_tags: [],
			feed_authors: [],
		},
	]);
}

export const profileRoutes: readonly Route[] = [
	read('/social/profile', profile),
	{ ...read('/social/load_user_profile', loadProfile), access: 'write' },
	write('/social/save_user_profile', saveProfile),
	read('/social/feed_trainer', feedTrainer),
];

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
	const query = call.need('query').toLowerCase();
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
