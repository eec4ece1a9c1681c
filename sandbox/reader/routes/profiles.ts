import { htmlToPlain } from '../../feeds/index.ts';
import { BareList, Fault, Refusal, type Answer } from '../http/answer.ts';
import { read, write, type Call, type Route } from '../http/route.ts';
import { userById } from '../accounts/users.ts';
import { classifierRecord, classifiersByFeed } from '../classifiers/store.ts';
import { inList } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';
import { eventPage, seeInteractions } from '../social/eventLists.ts';
import { eventsFragment, inFormat, type ShownEvent } from './fragments.ts';
import { needUser } from './lookup.ts';
import {
	compactProfile,
	compactProfiles,
	connectedServices,
	followedBy,
	followersOf,
	ownProfile,
	profileWithFollows,
	publicProfile,
} from '../social/profiles.ts';
import { commonFollows, follow, mute, relation, standing, unfollow, unmute } from '../social/relations.ts';
import { socialFeeds } from '../feeds/shareFeeds.ts';

/** Contract, "Limits". */
const eventsPerPage = 4;
const bioLength = 160;
/** Seen in the wild: what a bio too long is cut to, and what nothing may be longer than. */
const cutBioLength = 80;
const websiteLength = 200;
const locationLength = 40;
const foundFriends = 3;
const photoServices = ['twitter', 'facebook', 'gravatar', 'nothing', 'upload'];

function loadFriends(call: Call): object {
	const { reader, user } = call;
	const known = new Set([user.id, ...followedBy(reader, user.id)]);
	const others = call.db
		.all<UserRow>('SELECT * FROM reader_users WHERE is_demo = 0 AND is_private = 0 ORDER BY id')
		.filter(({ id }) => !known.has(id));
	const self = reader.differs('self-follow') ? [user.id] : [];
	return {
		services: connectedServices(reader, user),
		autofollow: true,
		user_profile: ownProfile(reader, user),
		following_profiles: listedProfiles(call, [...followedBy(reader, user.id), ...self]),
		follower_profiles: listedProfiles(call, [...followersOf(reader, user.id), ...self]),
		recommended_users: others.slice(0, 5).map((other) => compactProfile(reader, other)),
	};
}

/** Contract, "Social": the public profile, and whom the two have in common. */
function profile(call: Call): object {
	const { reader, user } = call;
	const asked = call.parameters.text('user_id');
	const owner = asked ? needUser(call, asked) : user;
	const { events } = eventPage(reader, 'activity', owner, user, {
		page: 1,
		limit: eventsPerPage,
		categories: [],
		publicOnly: true,
	});
	const people = [...followersOf(reader, owner.id), ...followedBy(reader, owner.id)];
	const profiles = compactProfiles(reader, people);
	const shown = reader.differs('profile-records') ? profileWithFollows : publicProfile;
	const common = commonFollows(reader, user, owner);
	return {
		user_profile: { ...shown(reader, owner), ...common, ...relation(reader, user, owner) },
		...common,
		profiles: Object.fromEntries(profiles.map((row) => [row['user_id'], row])),
		activities: events,
	};
}

function loadProfile(call: Call): object {
	return {
		services: connectedServices(call.reader, call.user),
		user_profile: ownProfile(call.reader, call.user, { settings: true }),
	};
}

/** Contract: every field may be left out and then stays as it is; the wild breaks without all four. */
function saveProfile(call: Call): object {
	const { parameters, reader, user } = call;
	const fields = ['website', 'location', 'bio', 'photo_service'] as const;
	const missing = fields.find((name) => !parameters.has(name));
	if (missing && reader.differs('profile-fields')) throw new Fault(`Missing parameter: ${missing}`, 500);
	const [website = '', location = '', bio = '', photoService = ''] = fitting(
		call,
		fields.map((name) => parameters.text(name) ?? user[name]),
	);
	const kept = !reader.differs('privacy-reset');
	call.db.transaction(() => {
		call.db.run(
			`UPDATE reader_users SET website = ?, location = ?, bio = ?, photo_service = ?, is_protected = ?, is_private = ?
			WHERE id = ?`,
			website === '' || /^https?:/i.test(website) ? website : `http://${website}`,
			location,
			bio,
			photoService,
			Number(parameters.flag('protected', kept && user.is_protected === 1)),
			Number(parameters.flag('private', kept && user.is_private === 1)),
			user.id,
		);
		call.db.run('INSERT INTO reader_saved_profiles VALUES (?) ON CONFLICT DO NOTHING', user.id);
	});
	return { code: 1, user_profile: ownProfile(reader, userById(call.db, user.id) ?? user) };
}

/** Website, location, bio and photo service as they can be kept: the wild cuts one, breaks at others, and takes any service. */
function fitting(
	{ reader }: Call,
	[website = '', location = '', bio = '', photoService = '']: string[],
): string[] {
	if (reader.differs('profile-fields')) {
		if (website.length > websiteLength || location.length > locationLength) {
			throw new Fault('The website or the location is too long.', 500);
		}
		const cut = bio.length > bioLength ? bio.slice(0, cutBioLength) : bio;
		return [website, location, htmlToPlain(cut), photoService];
	}
	if (bio.length > bioLength) throw new Refusal(`Your bio is longer than ${bioLength} characters.`);
	if (!photoServices.includes(photoService)) {
		throw new Refusal(`photo_service must be one of ${photoServices.join(', ')}.`);
	}
	return [website, location, bio, photoService];
}

/** Contract: of any user. Reading one's own makes them old; the wild leaves that to the web client. */
function interactions(call: Call): Answer {
	const { reader, user } = call;
	const asked = call.parameters.text('user_id');
	const owner = asked ? needUser(call, asked) : user;
	const isOwn = owner.id === user.id;
	if (!isOwn && reader.differs('closed-interactions')) throw new Refusal('Access denied.', 403);
	const { events, hasNextPage } = eventsOf(call, 'interaction', owner);
	if (isOwn && !reader.differs('lasting-events')) seeInteractions(reader, user);
	return inFormat(call, { interactions: events, page: call.page, has_next_page: hasNextPage }, () =>
		eventsFragment(call, owner, events as ShownEvent[]),
	);
}

function activities(call: Call): Answer {
	const asked = call.parameters.text('user_id');
	const owner = asked ? needUser(call, asked) : call.user;
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
		categories: call.parameters.list('category'),
	});
}

/** Without it the wild breaks. */
function otherUser(call: Call): UserRow {
	const given = call.parameters.text('user_id');
	if (given === undefined) throw new Fault('Missing parameter: user_id', 500);
	return needUser(call, given);
}

/** An account's profile, and how it stands to the user; in the wild with whom the two have in common. */
function relatedProfile({ reader, user }: Call, other: UserRow): Record<string, unknown> {
	return {
		...publicProfile(reader, other),
		...(reader.differs('relation-records') && commonFollows(reader, user, other)),
		...relation(reader, user, other),
	};
}

/** People followed and followers, as the wild lists them in full. */
function listedProfiles({ reader, user }: Call, ids: number[]): Record<string, unknown>[] {
	if (!reader.differs('relation-records')) return compactProfiles(reader, ids);
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
	if (isSelf && !reader.differs('self-follow')) throw new Refusal('You cannot follow yourself.');
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

function muting(change: typeof mute): Route['answer'] {
	return (call) => {
		const { reader, user } = call;
		change(reader, user, needUser(call, call.parameters.text('user_id')));
		const shown = reader.differs('relation-records') ? publicProfile : ownProfile;
		return { code: 1, user_profile: shown(reader, user) };
	};
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

/** Contract: by name, e-mail, or part of the title of a share feed. */
function findFriends(call: Call): object {
	const query = call.need('query').trim().toLowerCase();
	const everybody = call.db.all<UserRow>('SELECT * FROM reader_users ORDER BY id').map((user) => ({
		user,
		name: user.username.toLowerCase(),
		email: user.email.toLowerCase(),
		title: String(compactProfile(call.reader, user)['feed_title']).toLowerCase(),
	}));
	const wild = call.reader.differs('friend-search');
	const found = wild
		? firstFound(everybody, query)
		: everybody
				.filter(({ email, title }) => email === query || title.includes(query))
				.filter(({ user, name }) => user.is_demo === 0 && (user.is_private === 0 || name === query));
	const limit = call.parameters.integer('limit', wild ? foundFriends : found.length, 1);
	const profiles = found.slice(0, limit).map(({ user }) => publicProfile(call.reader, user));
	return { profiles };
}

interface Findable {
	user: UserRow;
	name: string;
	email: string;
	title: string;
}

/** As seen in the wild: one field after the other, until somebody is found. */
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

const needsUser = { names: ['user_id'] };

export const profileRoutes: readonly Route[] = [
	read('/social/load_user_friends', loadFriends),
	read('/social/profile', profile),
	{ ...read('/social/load_user_profile', loadProfile), access: 'write' },
	write('/social/save_user_profile', saveProfile),
	{ ...read('/social/interactions', interactions), access: 'write' },
	{ ...read('/social/activities', activities), access: 'write' },
	write('/social/follow', followUser),
	write('/social/unfollow', unfollowUser),
	write('/social/mute_user', muting(mute), needsUser),
	write('/social/unmute_user', muting(unmute), needsUser),
	read('/social/feed_trainer', feedTrainer, needsUser),
	read('/social/find_friends', findFriends, { names: ['query'] }),
];
