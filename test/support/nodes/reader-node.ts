import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { storedSession } from '../../../nodes/NewsReader/stored-session';
import { toText } from '../../../nodes/runtime/values';
import type { CredentialRecord, Engine, NodeJson, RunResult } from '../../../engine/index.ts';
import { recordsOf, runBetween, type RunNode } from './node';

export { byId, byUrl, from, startEngine } from './node';

export const NODE = 'n8n-nodes-newslink.newsReader';
export const USER = 'reader';
export const PASSWORD = 'sandbox-password';
/** A session in a credential that has not logged in. */
export const SESSION = 'reader_sessionid=session-of-this-test';

export type Authentication = 'session' | 'oAuth2';

/** The node of a workflow, with a session or OAuth2 credential. */
export const newsReader = (parameters: object, authentication: Authentication = 'session'): NodeJson => ({
	name: 'News Reader',
	type: NODE,
	parameters: { authentication, ...parameters },
	credentials:
		authentication === 'session'
			? { newsReaderSessionApi: { id: 'session', name: 'session' } }
			: { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } },
});

/** The session credential that `newsReader` refers to, with default values. `sessionToken` are its cookies. */
export const sessionCredential = (
	baseUrl: string,
	{ sessionToken = '', ...more }: IDataObject = {},
): Record<string, CredentialRecord> => {
	const data = {
		baseUrl,
		username: USER,
		password: PASSWORD,
		allowedHttpRequestDomains: 'all',
		...more,
	} as ICredentialDataDecryptedObject;
	const bound = sessionToken === '' ? '' : storedSession(data, toText(sessionToken));
	return { session: { type: 'newsReaderSessionApi', data: { ...data, sessionToken: bound } } };
};

export interface Tokens {
	access_token: string;
	refresh_token: string;
}

/** The OAuth2 credential that `newsReader` refers to, connected with these tokens. */
export const oAuth2Credential = (
	baseUrl: string,
	tokens?: Tokens,
	more: IDataObject = {},
): Record<string, CredentialRecord> => ({
	oAuth2: {
		type: 'newsReaderOAuth2Api',
		data: {
			baseUrl,
			grantType: 'authorizationCode',
			clientId: 'sandbox-client',
			clientSecret: 'sandbox-secret',
			authUrl: `${baseUrl}/oauth/authorize`,
			accessTokenUrl: `${baseUrl}/oauth/token`,
			scope: 'read write',
			authentication: 'header',
			allowedHttpRequestDomains: 'all',
			...(tokens && { oauthTokenData: { token_type: 'Bearer', scope: 'read write', ...tokens } }),
			...more,
		} as CredentialRecord['data'],
	},
});

/** Runs Items → News Reader → After with the credentials of the engine's store. */
export const runReader = async (
	engine: Engine,
	parameters: object,
	inputs: object[] = [{}],
	{ authentication, ...options }: RunNode & { authentication?: Authentication } = {},
): Promise<RunResult> => await runBetween(engine, newsReader(parameters, authentication), inputs, options);

/** The records that the News Reader returned. */
export const records = (result: RunResult): IDataObject[] => recordsOf(result, 'News Reader');
