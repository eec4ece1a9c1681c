/**
 * The session as n8n stores it: a digest of the host and the account, a blank, and the cookies. If a credential names
 * another host or account than the digest, as with an expression for the user name, it has no session.
 */
import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { baseUrlOf } from '../runtime/credential';

function digestOf(credential: ICredentialDataDecryptedObject): string {
	const account = [baseUrlOf(credential), credential.username ?? '', credential.password ?? ''];
	return createHash('sha256').update(JSON.stringify(account)).digest('base64url');
}

export const storedSession = (credential: ICredentialDataDecryptedObject, cookies: string): string =>
	`${digestOf(credential)} ${cookies}`;

/** The cookies of a credential's session; empty if none is stored for its host and account. */
export function cookiesIn(credential: ICredentialDataDecryptedObject): string {
	const stored = String(credential.sessionToken ?? '');
	const digest = `${digestOf(credential)} `;
	return stored.startsWith(digest) ? stored.slice(digest.length) : '';
}
