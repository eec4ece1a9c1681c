import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

const REFUSED = 'The service does not accept this user name and password';
const NOT_THE_SERVICE = 'Something answers at this Base URL, but it is not a news reader service';

/** A session of the news reader service: a login makes it, a cookie carries it (interface document, Authentication). */
export class NewsReaderSessionApi implements ICredentialType {
	name = 'newsReaderSessionApi';

	displayName = 'News Reader Session API';

	icon: Icon = {
		light: 'file:../nodes/NewsReader/newsReader.svg',
		dark: 'file:../nodes/NewsReader/newsReader.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-newslink/n8n-nodes-newslink/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://reader.example.com',
			description: 'The address of the service. The sandbox has http://127.0.0.1:8787/reader-service.',
		},
		{
			displayName: 'User Name',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
			description: 'Your user name or email address',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'May stay empty for an account without a password',
		},
		{
			displayName: 'Cookie Name',
			name: 'cookieName',
			type: 'string',
			default: 'reader_sessionid',
			description: 'The cookie in which the service keeps the session',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Cookie: '={{$credentials.cookieName}}={{$credentials.sessionToken}}' } },
	};

	/** Logging in is the only test that tries the password: n8n keeps a session that was good before. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
			url: '/api/login',
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: { username: '={{$credentials.username}}', password: '={{$credentials.password}}' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		},
		rules: [
			{ type: 'responseSuccessBody', properties: { key: 'code', value: -1, message: REFUSED } },
			{ type: 'responseSuccessBody', properties: { key: 'authenticated', value: false, message: REFUSED } },
			{
				type: 'responseSuccessBody',
				properties: { key: 'authenticated', value: undefined, message: NOT_THE_SERVICE },
			},
		],
	};

	/** Logs in. n8n calls it when there is no session yet or the last one ended, and stores what it returns. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const baseUrl = String(credentials.baseUrl).trim().replace(/\/+$/, '');
		const response = (await this.helpers.httpRequest({
			method: 'POST',
			url: `${baseUrl}/api/login`,
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams({
				username: String(credentials.username ?? ''),
				password: String(credentials.password ?? ''),
			}).toString(),
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		return { sessionToken: sessionIn(response, String(credentials.cookieName || 'reader_sessionid')) };
	}
}

/** The runtime knows by this code that the service could not log anybody in, and that nothing else was sent. */
const NO_LOGIN_NOW = 'LOGIN_UNAVAILABLE';

/** The session's value in the cookie of a login's answer; throws the service's words when it refuses. */
function sessionIn(
	{ statusCode, headers, body }: { statusCode: number; headers: Record<string, unknown>; body: unknown },
	cookieName: string,
): string {
	if (statusCode === 429 || statusCode >= 500) {
		throw Object.assign(new Error(`The login was answered with status ${statusCode}`), {
			code: NO_LOGIN_NOW,
		});
	}
	const answer = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
	if (Number(answer.code) < 0 || answer.authenticated === false)
		throw refused(wordsOf(answer.errors) || wordsOf(answer.message) || REFUSED);
	if (answer.authenticated !== true && Number(answer.code) !== 1) {
		throw refused(`${NOT_THE_SERVICE} (status ${statusCode})`);
	}
	const cookies = [headers['set-cookie']].flat().map((cookie) => String(cookie ?? '').split(';')[0] ?? '');
	const session = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`));
	if (session) return session.slice(cookieName.length + 1);
	const names = cookies
		.map((cookie) => cookie.split('=')[0])
		.filter(Boolean)
		.join(', ');
	throw refused(
		`The login worked, but set no cookie named ${cookieName}. Enter one of these as the Cookie Name: ${names || 'none was set'}`,
	);
}

/** The runtime knows a refused login by this mark, and doesn't try it again. */
const refused = (message: string): Error => Object.assign(new Error(message), { refusedLogin: true });

const wordsOf = (value: unknown): string => {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return '';
	return Object.values(value).map(wordsOf).filter(Boolean).join(' ');
};
