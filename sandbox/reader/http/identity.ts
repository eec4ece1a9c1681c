import type { IncomingHttpHeaders } from 'node:http';
import { tokenUser } from '../oauth/tokens.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { readCookie, sessionUser } from '../accounts/sessions.ts';

/** The sender of a request. */
export interface Identity {
	/** Undefined for an anonymous request. */
	user?: UserRow;
	/** Whether the request has an invalid access token. */
	badBearer: boolean;
	sessionToken?: string;
	/** The session or token of the request, for counting; undefined without one. */
	key?: string;
}

/**
 * Identifies the sender by access token, otherwise by session cookie. An invalid access token makes the request
 * anonymous, even with a session.
 */
export function identify(reader: Reader, headers: IncomingHttpHeaders): Identity {
	const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
	if (bearer !== undefined) {
		const user = tokenUser(reader, bearer);
		return { user, badBearer: user === undefined, key: bearer };
	}
	const sessionToken = readCookie(headers.cookie ?? '', reader.settings.cookieName);
	const session = sessionToken && sessionUser(reader, sessionToken);
	if (session) return { user: session, badBearer: false, sessionToken, key: sessionToken };
	return { badBearer: false, key: sessionToken };
}
