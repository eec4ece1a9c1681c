import { hashToken, userById } from '../accounts.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/queries.ts';
import type OAuth2Server from '@node-oauth/oauth2-server';

interface TokenRow {
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

export const scopes = ['read', 'write', 'ifttt', 'email', 'archive', 'mcp'];
const defaultScopes = ['read', 'write'];
const codeSeconds = 3600;

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

interface CodeRow {
	client_id: string;
	user_id: number;
	redirect_uri: string;
	scope: string;
	code_challenge: string | null;
	code_challenge_method: string | null;
	expires_at: number;
}

const sandboxClient = { id: 'sandbox-client', secret: 'sandbox-secret' };

function client(id: string): OAuth2Server.Client {
	return {
		id,
		grants: ['authorization_code', 'refresh_token'],
		redirectUris: ['http://127.0.0.1/'],
	};
}

/** `http` or `https` on 127.0.0.1, localhost or [::1], with any port and path (RFC 8252, section 7.3). */
function isLoopback(address: string): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname, hash } = new URL(address);
	return /^https?:$/.test(protocol) && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) && hash === '';
}

/** Storage for the OAuth library. Codes and tokens are stored as hashes and expire by the sandbox's clock. */
export const oauthModel = (reader: Reader): Model => ({
	...clientModel(),
	...codeModel(reader),
	...tokenModel(reader),
});

/** A date in the future: the library checks the system clock, but the sandbox's clock has already been checked. */
const stillValid = () => new Date(Date.now() + 60_000);

const identity = ({ db }: Reader, row: { user_id: number; client_id: string }) => ({
	user: userById(db, row.user_id) ?? {},
	client: client(row.client_id),
});

function clientModel(): Pick<Model, 'getClient' | 'validateRedirectUri' | 'validateScope'> {
	return {
		async getClient(id: string, secret: string | null | undefined) {
			const isKnown = id === sandboxClient.id && (!secret || secret === sandboxClient.secret);
			return isKnown && client(id);
		},
		async validateRedirectUri(address) {
			return isLoopback(address);
		},
		async validateScope(_user, _client, wanted = defaultScopes) {
			return wanted.every((scope) => scopes.includes(scope)) && wanted;
		},
	};
}

function codeModel(
	reader: Reader,
): Pick<Model, 'saveAuthorizationCode' | 'getAuthorizationCode' | 'revokeAuthorizationCode'> {
	const { db } = reader;
	return {
		async saveAuthorizationCode(code, forClient, user) {
			db.run(
				'INSERT INTO reader_oauth_codes VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
				hashToken(code.authorizationCode),
				forClient.id,
				user['id'],
				code.redirectUri,
				(code.scope ?? defaultScopes).join(' '),
				code.codeChallenge ?? null,
				code.codeChallengeMethod ?? null,
				reader.now() + codeSeconds * 1000,
			);
			return { ...code, client: forClient, user };
		},
		async getAuthorizationCode(authorizationCode) {
			const row = db.get<CodeRow>(
				'SELECT * FROM reader_oauth_codes WHERE code_hash = ? AND expires_at > ?',
				hashToken(authorizationCode),
				reader.now(),
			);
			return (
				row && {
					authorizationCode,
					expiresAt: stillValid(),
					redirectUri: row.redirect_uri,
					scope: row.scope.split(' '),
					codeChallenge: row.code_challenge ?? undefined,
					codeChallengeMethod: row.code_challenge_method ?? undefined,
					...identity(reader, row),
				}
			);
		},
		async revokeAuthorizationCode({ authorizationCode }) {
			const hash = hashToken(authorizationCode);
			return db.run('DELETE FROM reader_oauth_codes WHERE code_hash = ?', hash).changes > 0;
		},
	};
}

function tokenModel(
	reader: Reader,
): Pick<Model, 'saveToken' | 'getAccessToken' | 'getRefreshToken' | 'revokeToken'> {
	const { db } = reader;
	return {
		async saveToken(token, forClient, user) {
			db.run(
				'INSERT INTO reader_oauth_tokens VALUES (?, ?, ?, ?, ?, ?)',
				hashToken(token.accessToken),
				token.refreshToken ? hashToken(token.refreshToken) : null,
				forClient.id,
				user['id'],
				(token.scope ?? defaultScopes).join(' '),
				reader.now() + accessTokenSeconds * 1000,
			);
			return { ...token, client: forClient, user };
		},
		async getAccessToken(accessToken) {
			const row = db.get<TokenRow>(
				'SELECT * FROM reader_oauth_tokens WHERE access_hash = ? AND expires_at > ?',
				hashToken(accessToken),
				reader.now(),
			);
			return (
				row && {
					accessToken,
					accessTokenExpiresAt: stillValid(),
					scope: row.scope.split(' '),
					...identity(reader, row),
				}
			);
		},
		async getRefreshToken(refreshToken) {
			const row = db.get<TokenRow>(
				'SELECT * FROM reader_oauth_tokens WHERE refresh_hash = ?',
				hashToken(refreshToken),
			);
			return row && { refreshToken, scope: row.scope.split(' '), ...identity(reader, row) };
		},
		/** A refresh token works once; using it also revokes its access token. */
		async revokeToken({ refreshToken }) {
			const hash = hashToken(refreshToken);
			return db.run('DELETE FROM reader_oauth_tokens WHERE refresh_hash = ?', hash).changes > 0;
		},
	};
}
