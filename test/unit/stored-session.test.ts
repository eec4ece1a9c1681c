/** A stored session belongs to one host, user and password. */
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { NewsReaderSessionApi } from '../../credentials/NewsReaderSessionApi.credentials';
import { newsReader } from '../../nodes/NewsReader/service';
import { cookiesIn, storedSession } from '../../nodes/NewsReader/stored-session';

const account = { baseUrl: 'https://reader.test', username: 'ada', password: 'secret' };
const stored = { ...account, sessionToken: storedSession(account, 'sessionid=a-session') };
const authenticate = new NewsReaderSessionApi().authenticate as (
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;
const request = { url: 'https://reader.test/reader/feeds' };

it('is used with its host, user and password', async () => {
	expect(cookiesIn(stored)).toBe('sessionid=a-session');
	const sent = await authenticate(stored, request);
	expect(sent.headers).toEqual({ Cookie: 'sessionid=a-session' });
	expect(newsReader.secrets(stored)).toEqual(['secret', 'a-session']);
});

it.each([
	['another host', { baseUrl: 'https://other.test' }],
	['another user', { username: 'bob' }],
	['another password', { password: 'changed' }],
	['a session without an owner', { sessionToken: 'sessionid=a-session' }],
])('is not sent with %s: n8n logs in first', async (_, changed) => {
	const credential = { ...stored, ...changed };
	expect(newsReader.session!.renewal({} as never, 'newsReaderSessionApi').token(credential)).toBe('');
	await expect(authenticate(credential, request)).rejects.toMatchObject({
		response: { status: 401 },
	});
});
