import { hashToken } from '../accounts/sessions.ts';
import type { Reader } from '../reader.ts';

/** An OAuth client. Without a secret it is public, such as a command line. */
interface OAuthClient {
	id: string;
	secretHash: string | null;
}

const sandboxClient = { id: 'sandbox-client', secret: 'sandbox-secret' };

export function findClient(reader: Reader, id: string): OAuthClient | undefined {
	if (id === sandboxClient.id) return { id, secretHash: hashToken(sandboxClient.secret) };

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
