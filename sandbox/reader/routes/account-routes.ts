import { Document, Rejection, tokenNeeded, type RouteResponse } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { recordOwnEvent } from '../social/record-events.ts';
import { folderTree } from '../folders/folder-store.ts';
import { feedsIn } from '../folders/tree.ts';
import type { UserRow } from '../storage/rows.ts';
import { checkLogin } from '../accounts/login.ts';
import { endSession, expiredCookie, sessionCookie, startSession } from '../accounts/sessions.ts';
import { createUser, userByName } from '../accounts/users.ts';

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
	call.replyHeaders['set-cookie'] = sessionCookie(call.reader, sessionFor(call, user));
	return { code: 1, errors: null, authenticated: true, user_id: user.id };
}

/** A new session in addition to existing ones; on real hosts, the session of the request is kept if it is the account's, and otherwise ended. */
function sessionFor({ reader, sessionToken, user: sender }: Call, user: UserRow): string {
	if (sessionToken !== undefined && reader.differs('one-session')) {
		if (sender.id === user.id) return sessionToken;
		endSession(reader, sessionToken);
	}
	return startSession(reader, user);
}

function login(call: Call): object {
	const { parameters } = call;
	if (call.method !== 'POST') {
		const method = `Invalid method. Use POST. You used ${call.method}`;
		throw new Rejection(method, 405, { message: undefined, errors: { method } });
	}
	const result = checkLogin(
		call.reader,
		parameters.exactly('username').at(-1) ?? '',
		parameters.exactly('password').at(-1) ?? '',
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

/** Creates an account. Name and password of an existing account log in; on real hosts, only with an unused e-mail. */
function signup(call: Call): object {
	const { reader, parameters } = call;
	const username = parameters.text('username') ?? '';
	const password = parameters.text('password') ?? '';
	const email = parameters.text('email') ?? '';
	const loose = reader.differs('loose-passwords');
	if (username === '') throw formRefusal('username', 'Please enter a username.', 400);
	if (!/^\w{1,30}$/.test(username)) {
		throw formRefusal('username', 'Your username may only contain letters and numbers.', 400);
	}
	if (loose) refuseEmail(call, email);
	if (userByName(call.db, username)) {
		const result = checkLogin(reader, username, password);
		if ('user' in result) return loggedIn(call, result.user);
		throw formRefusal('username', 'Someone is already using that username.', 409);
	}
	if (!loose) refuseEmail(call, email);
	const given = { username, email, password: loose && password === '' ? username : password };
	const user = createUser(call.db, reader.now(), given);
	recordOwnEvent(reader, user, 'signup');
	return loggedIn(call, user);
}

function refuseEmail(call: Call, email: string): void {
	if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw formRefusal('email', 'Please enter an e-mail address.', 400);
	if (userByName(call.db, email)) {
		throw formRefusal('email', 'Someone is already using that email address.', 409);
	}
}

/** Not in the contract; clients check an access token with it. Older hosts return name and id only. */
function userInfo(call: Call): RouteResponse {
	const { user, reader } = call;
	if (!call.authenticated) {
		return tokenNeeded(reader.differs('html-401') ? 'text/html; charset=utf-8' : 'application/json');
	}
	const info = { name: user.username, id: user.id };
	if (reader.differs('user-info')) return { data: info };
	return {
		data: {
			...info,
			email: user.email,
			is_premium: reader.isPremium(user),
			is_archive: reader.keepsEverything(user),
			is_pro: false,
			feed_count: feedsIn(folderTree(reader, user)).length,
			premium_expire: null,
		},
	};
}

export const accountRoutes: readonly Route[] = [
	{ ...write('/api/login', login), access: 'open' },
	{ ...read('/api/logout', logout), access: 'open' },
	{ ...write('/api/signup', signup), access: 'open' },
	{ ...read('/oauth/user/info', userInfo), access: 'open' },
];
