import { Document, Refusal } from '../http/answer.ts';
import { read, write, type Call, type Route } from '../http/route.ts';
import { folderTree } from '../folders/store.ts';
import { feedsIn } from '../folders/tree.ts';
import type { UserRow } from '../storage/rows.ts';
import { checkLogin } from '../accounts/login.ts';
import { endSession, expiredCookie, sessionCookie, startSession } from '../accounts/sessions.ts';
import { createUser, userByName } from '../accounts/users.ts';

/** The errors of the login and signup forms are objects of lists, by field. */
function formRefusal(field: string, problem: string, status: number): Refusal {
	return new Refusal(problem, status, {
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
		call.db,
		parameters.exactly('username').at(-1) ?? '',
		parameters.exactly('password').at(-1) ?? '',
	);
	if ('problem' in result) {
		throw formRefusal(result.field, result.problem, result.field === 'username' ? 400 : 401);
	}
	return loggedIn(call, result.user);
}

/** Ends this session; the account's other ones go on. */
function logout(call: Call): Document {
	if (call.sessionToken !== undefined) endSession(call.reader, call.sessionToken);
	call.replyHeaders['set-cookie'] = expiredCookie(call.reader);
	return Document.json({ code: 1, result: 'ok', authenticated: false });
}

/** A new account; name and password of one that exists log in. */
function signup(call: Call): object {
	const username = call.parameters.text('username') ?? '';
	const password = call.parameters.text('password') ?? '';
	const email = call.parameters.text('email') ?? '';
	if (username === '') throw formRefusal('username', 'Please enter a username.', 400);
	if (!/^\w{1,30}$/.test(username)) {
		throw formRefusal('username', 'Your username may only contain letters and numbers.', 400);
	}
	if (userByName(call.db, username)) {
		const result = checkLogin(call.db, username, password);
		if ('user' in result) return loggedIn(call, result.user);
		throw formRefusal('username', 'Someone is already using that username.', 409);
	}
	if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw formRefusal('email', 'Please enter an e-mail address.', 400);
	if (userByName(call.db, email)) {
		throw formRefusal('email', 'Someone is already using that email address.', 409);
	}
	return loggedIn(call, createUser(call.db, call.reader.now(), { username, email, password }));
}

/** Not in the contract; what clients check an access token with. */
function userInfo(call: Call): object {
	if (!call.authenticated) {
		return Document.json({ message: 'You must have a valid OAuth token.' }, 401);
	}
	const { user, reader } = call;
	return {
		data: {
			name: user.username,
			id: user.id,
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
