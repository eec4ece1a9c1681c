import { Document, Rejection } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { recordOwnEvent } from '../social/events.ts';
import type { UserRow } from '../storage/queries.ts';
import {
	endSession,
	expiredCookie,
	sessionCookie,
	startSession,
	checkLogin,
	createUser,
	userByName,
	preferencesOf,
	setPreference,
} from '../accounts.ts';

/** The errors of the login and signup forms are objects of lists, by field. */
function formRefusal(field: string, problem: string, status: number): Rejection {
	return new Rejection(problem, status, {
		message: undefined,
		errors: { [field]: [problem] },
		authenticated: false,
		user_id: undefined,
	});
}

function loggedIn(call: Call, user: UserRow): object {
	call.replyHeaders['set-cookie'] = sessionCookie(call.reader, startSession(call.reader, user));
	return { code: 1, errors: null, authenticated: true, user_id: user.id };
}

function login(call: Call): object {
	const { parameters } = call;
	const result = checkLogin(
		call.reader,
		parameters.text('username') ?? '',
		parameters.text('password') ?? '',
	);
	if ('problem' in result) {
		throw formRefusal(result.field, result.problem, result.field === 'username' ? 400 : 401);
	}
	return loggedIn(call, result.user);
}

/** Ends this session; the account's other sessions continue. */
function logout(call: Call): Document {
	if (call.sessionToken !== undefined) endSession(call.reader, call.sessionToken);
	call.replyHeaders['set-cookie'] = expiredCookie(call.reader);
	return Document.json({ code: 1, result: 'ok', authenticated: false });
}

/** Creates an account. Name and password of an existing account log in, but not with an email that is taken. */
function signup(call: Call): object {
	const { reader, parameters } = call;
	const username = parameters.text('username') ?? '';
	const password = parameters.text('password') ?? '';
	const email = parameters.text('email') ?? '';

	if (username === '') throw formRefusal('username', 'Please enter a username.', 400);
	if (!/^\w{1,30}$/.test(username)) {
		throw formRefusal('username', 'Your username may only contain letters and numbers.', 400);
	}

	refuseEmail(call, email);
	if (userByName(call.db, username)) {
		const result = checkLogin(reader, username, password);
		if ('user' in result) return loggedIn(call, result.user);
		throw formRefusal('username', 'Someone is already using that username.', 409);
	}
	const user = createUser(call.db, reader.now(), { username, email, password });
	recordOwnEvent(reader, user, 'signup');
	return loggedIn(call, user);
}

function refuseEmail(call: Call, email: string): void {
	if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw formRefusal('email', 'Please enter an e-mail address.', 400);
	if (userByName(call.db, email)) {
		throw formRefusal('email', 'Someone is already using that email address.', 409);
	}
}

export const accountRoutes: readonly Route[] = [
	{ ...write('/api/login', login), access: 'open' },
	{ ...read('/api/logout', logout), access: 'open' },
	{ ...write('/api/signup', signup), access: 'open' },
];

/** Each field is a preference of the account. */
function setPreferences(call: Call): object {
	const { reader, user, parameters } = call;
	call.db.transaction(() => {
		for (const [name, value] of parameters.entries()) setPreference(reader, user, name, value);
	});
	return { code: 1, message: '', new_preferences: preferencesOf(reader, user) };
}

export const preferenceRoutes: readonly Route[] = [write('/profile/set_preference', setPreferences)];

interface NotificationRow {
	feed_id: number;
	/** JSON text. */
	types: string;
	filter: string;
}

function notifications({ db, user }: Call): object {
	const rows = db.all<NotificationRow>(
		'SELECT feed_id, types, filter FROM reader_notifications WHERE user_id = ? ORDER BY feed_id',
		user.id,
	);
	return Object.fromEntries(
		rows.map(({ feed_id, types, filter }) => [
			feed_id,
			{ notification_types: JSON.parse(types) as string[], notification_filter: filter },
		]),
	);
}

const notificationTypes = ['email', 'web', 'ios', 'android'];

/** Which messages are sent for a feed; none of the types: no entry. The sandbox sends none. */
function setNotifications(call: Call): object {
	const { db, user, parameters } = call;
	const feedId = call.needId('feed_id');
	const given = parameters.list('notification_types');
	const types = notificationTypes.filter((type) => given.includes(type));
	const filter = parameters.text('notification_filter') === 'focus' ? 'focus' : 'unread';
	db.run('DELETE FROM reader_notifications WHERE user_id = ? AND feed_id = ?', user.id, feedId);
	if (types.length > 0) {
		db.run(
			'INSERT INTO reader_notifications VALUES (?, ?, ?, ?)',
			user.id,
			feedId,
			JSON.stringify(types),
			filter,
		);
	}
	return { notifications_by_feed: notifications(call) };
}

export const notificationRoutes: readonly Route[] = [
	{ ...write('/notifications', notifications), method: 'BOTH' },
	write('/notifications/feed', setNotifications),
];
