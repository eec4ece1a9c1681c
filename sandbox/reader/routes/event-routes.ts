import { Rejection, type RouteResponse } from '../http/response.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';
import { eventPage } from '../social/event-lists.ts';
import type { UserRow } from '../storage/rows.ts';
import { eventsFragment, inFormat, type ShownEvent } from './fragment-routes.ts';
import { needUser } from './lookup-routes.ts';

/** Contract, "Limits". */
export const eventsPerPage = 4;

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
