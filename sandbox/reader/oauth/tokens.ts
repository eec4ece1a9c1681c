import { hashToken } from '../accounts/sessions.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';

export interface TokenRow {
	access_hash: string;
	refresh_hash: string | null;
	client_id: string;
	user_id: number;
	scope: string;
	expires_at: number;
}

/** Lifetime of an access token in seconds. */
export const accessTokenSeconds = 3600;

/** The user of a valid access token. */
export function tokenUser(reader: Reader, token: string): UserRow | undefined {
	return reader.db.get<UserRow>(
		`SELECT users.* FROM reader_oauth_tokens tokens JOIN reader_users users ON users.id = user_id
		WHERE access_hash = ? AND expires_at > ?`,
		hashToken(token),
		reader.now(),
	);
}

/** Revokes an account's access tokens; refresh tokens stay valid. @returns their number */
export function expireTokens(reader: Reader, user: UserRow): number {
	return reader.db.run('UPDATE reader_oauth_tokens SET expires_at = 0 WHERE user_id = ?', user.id).changes;
}
