import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import {
	PLAIN,
	connectionFields,
	connectionOf,
	BUSY,
	elsewhereOrAway,
	FAILS,
	noAnswer,
	ofMember,
	ofStatus,
	REDIRECTED,
	requireAddress,
	withoutLogin,
} from '../nodes/credential';

const REFUSED = 'The service does not accept this user name and password: check both';
const NOT_THE_SERVICE =
	'Something answers at this Base URL, but it is not a news reader service: check the host and the path';

/** A session of the news reader service: a login makes it, its cookies carry it (interface document, Authentication). */
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
			default: 'https://www.newsblur.com',
			required: true,
			placeholder: 'e.g. https://reader.example.com',
			description:
				'NewsBlur, unless you enter the address of another installation. The sandbox has http://127.0.0.1:8787/reader-service.',
		},
		{
			displayName: 'User Name',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
			description: 'Your user name or email address; the service takes no more than 30 characters of either',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'May stay empty for an account without a password',
		},
		...connectionFields,
	];

	authenticate: IAuthenticate = async (credentials, request) => {
		requireAddress(credentials);
		const headers = { ...request.headers, Cookie: String(credentials.sessionToken) };
		return { ...request, ...connectionOf(credentials), headers };
	};

	/** Logging in is the only test that tries the password: n8n keeps a session that was good before. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{$credentials.baseUrl${PLAIN}}}`,
			url: '/api/login',
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: { username: '={{$credentials.username}}', password: '={{$credentials.password}}' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: [404, ...elsewhereOrAway.statuses] },
		},
		rules: [
			...elsewhereOrAway.rules,
			...ofStatus(NOT_THE_SERVICE, 404),
			...ofMember(REFUSED, 'code', -1),
			...ofMember(REFUSED, 'authenticated', false),
			...ofMember(NOT_THE_SERVICE, 'authenticated', undefined),
		] as ICredentialTestRequest['rules'],
	};

	/** Logs in. n8n calls it when there is no session yet or the last one ended, and stores what it returns. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const baseUrl = requireAddress(credentials);
		const request = this.helpers.httpRequest({
			...connectionOf(credentials),
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
		}) as Promise<{ statusCode: number; headers: Record<string, unknown>; body: unknown }>;
		const response = await request.catch((error: Error) => {
			throw noAnswer('the news reader service', baseUrl, error);
		});
		return { sessionToken: sessionIn(response, String(credentials.password ?? '')) };
	}
}

/** The runtime knows by this code that the service could not log anybody in, and that nothing else was sent. */
const NO_LOGIN_NOW = 'LOGIN_UNAVAILABLE';

/** The session as a browser keeps it: all cookies of a login's answer. Throws the service's words when it refuses. */
function sessionIn(
	{ statusCode, headers, body }: { statusCode: number; headers: Record<string, unknown>; body: unknown },
	password: string,
): string {
	if (statusCode === 429 || statusCode >= 500) {
		throw withoutLogin(statusCode === 429 ? BUSY : FAILS, NO_LOGIN_NOW);
	}
	if (statusCode >= 300 && statusCode < 400) throw refused(REDIRECTED);
	const answer = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
	if (Number(answer.code) < 0 || answer.authenticated === false)
		throw refused(without(password, wordsOf(answer.errors) || wordsOf(answer.message) || REFUSED));
	if (answer.authenticated !== true && Number(answer.code) !== 1) {
		throw refused(`${NOT_THE_SERVICE} (status ${statusCode})`);
	}
	const cookies = cookiesOf([headers['set-cookie']].flat());
	if (cookies === '') throw refused('The login worked, but it set no cookie to keep the session in');
	return cookies;
}

/** The `Cookie` header that answers these `Set-Cookie` headers: the last of each name, without those that are deleted. */
function cookiesOf(setCookies: unknown[]): string {
	const cookies = new Map<string, string>();
	for (const [pair = '', ...attributes] of setCookies.map((cookie) => String(cookie ?? '').split(';'))) {
		const [name = '', ...value] = pair.trim().split('=');
		const isDeleted = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
		cookies.delete(name);
		if (name !== '' && value.join('=') !== '' && !isDeleted) cookies.set(name, value.join('='));
	}
	return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The runtime knows a refused login by this mark, and doesn't try it again. */
const refused = (message: string): Error => Object.assign(new Error(message), { refusedLogin: true });

/** Words without a password that they repeat, as it is or as a form spells it. Too short a one is in words by chance. */
const without = (password: string, words: string): string =>
	[password, encodeURIComponent(password), new URLSearchParams({ '': password }).toString().slice(1)]
		.filter((spelling) => spelling.length >= 4)
		.reduce((clean, spelling) => clean.replaceAll(spelling, '***'), words);

const wordsOf = (value: unknown): string => {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return '';
	return Object.values(value).map(wordsOf).filter(Boolean).join(' ');
};
