import { hashToken } from '../accounts/sessions.ts';
import type { Reader } from '../reader.ts';

/** An OAuth client. Without a secret it is public, such as a command line. */
export interface OAuthClient {
	id: string;
	secretHash: string | null;
}

export const sandboxClient = { id: 'sandbox-client', secret: 'sandbox-secret' };
/** The service's own command line, which is registered on every real host. */
const commandLineClient = 'newsblur-cli';

export function findClient(reader: Reader, id: string): OAuthClient | undefined {
	if (id === sandboxClient.id) return { id, secretHash: hashToken(sandboxClient.secret) };
	if (id === commandLineClient && reader.differs('own-clients')) return { id, secretHash: null };
	return reader.db.get<OAuthClient>(
		'SELECT id, secret_hash secretHash FROM reader_oauth_clients WHERE id = ?',
		id,
	);
}

/** Registers or replaces an application, which the operator of a real host does manually. */
export function registerClient(reader: Reader, id: string, secret: string | undefined): void {
	reader.db.run(
		'INSERT INTO reader_oauth_clients VALUES (?, ?) ON CONFLICT DO UPDATE SET secret_hash = excluded.secret_hash',
		id,
		secret === undefined ? null : hashToken(secret),
	);
}
