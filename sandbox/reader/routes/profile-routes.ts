import { Rejection, type RouteResponse, BareList, Fault } from '../http/response.ts';
import { read, type Call, type Route, write } from '../http/reader-route.ts';
import { eventPage } from '../social/events.ts';
import type { UserRow } from '../storage/queries.ts';
import { eventsFragment, inFormat, type ShownEvent } from './fragment-routes.ts';
import { needUser, isClosed } from './search-routes.ts';
import { userById } from '../accounts/users.ts';
import { classifierRecord, classifiersByFeed } from '../classifiers.ts';
import {
	compactProfiles,
	connectedServices,
	followedBy,
	followersOf,
	ownProfile,
	profileWithFollows,
	publicProfile,
} from '../social/profile-records.ts';
import { withoutTags } from '../social/comments.ts';
import { commonFollows, relation } from '../social/relations.ts';

/** Contract, "Limits". */
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

/** Contract, "Limits". */
const bioLength = 160;
/** Seen on real hosts: the length that a bio is cut to, and the limit for all other fields. */
const cutBioLength = 80;
const websiteLength = 200;
const locationLength = 40;

/** Contract, "Social": the public profile, and whom the two have in common. */
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
	if (missing) throw new Fault(`Missing parameter: ${missing}`, 500);
	const [website = '', location = '', bio = '', photoService = ''] = fitting(
		fields.map((name) => parameters.text(name) ?? user[name]),
	);

	call.db.transaction(() => {
		call.db.run(
			`UPDATE reader_users SET website = ?, location = ?, bio = ?, photo_service = ?, is_protected = ?, is_private = ?
			WHERE id = ?`,
			website === '' || /^https?:/i.test(website) ? website : `http://${website}`,
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
	if (website.length > websiteLength || location.length > locationLength) {
		throw new Fault('The website or the location is too long.', 500);
	}
	const cut = bio.length > bioLength ? bio.slice(0, cutBioLength) : bio;
	return [website, location, withoutTags(cut), photoService];
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
