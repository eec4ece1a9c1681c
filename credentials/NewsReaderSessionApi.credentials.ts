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
	PLAIN_ADDRESS,
	connectionFields,
	connectionOf,
	BUSY,
	isOn,
	inconclusive,
	FAILS,
	loginLimitOf,
	failedLogin,
	noResponse,
	memberRules,
	statusRules,
	REDIRECTED,
	requireAddress,
	userAgent,
} from '../nodes/runtime/credential';
import {
	LOGIN_FAILED,
	LOGIN_TIMED_OUT,
	loginRefused,
	loginUnavailable,
	PROXY_LOGIN,
} from '../nodes/runtime/errors/messages';
import {
	attackIn,
	BANNED,
	BANNED_ADVICE,
	bannedAdvice,
	BANNED_FOR,
	suspiciousTexts,
} from '../nodes/NewsReader/attack-texts';
import { redacted } from '../nodes/runtime/errors/secrets';
import { textsIn } from '../nodes/runtime/values';
import { cookiesIn, storedSession } from '../nodes/NewsReader/stored-session';

const REFUSED = 'The service does not accept this user name and password: check both';
const NOT_THE_SERVICE =
	'Something answers at this Base URL, but it is not a news reader service: check the host and the path';

/** n8n logs in and sends the request again after an error with this status. */
const NO_SESSION = Object.assign(new Error('There is no session for this host and user yet'), {
	response: { status: 401 },
});

const TOO_SLOW = 'The service did not respond to the login in time';

const SERVICE = 'the news reader service';

const refused = (words: string): Error => failedLogin(words, loginRefused(SERVICE, words));

const unavailable = (words: string, code?: string): Error =>
	failedLogin(words, loginUnavailable(SERVICE, words, code));

const banned = (): Error =>
	failedLogin(BANNED, { message: BANNED, description: bannedAdvice(), class: 'banned', code: LOGIN_FAILED });

/** A session of the news reader service: a login starts it, its cookies identify it (interface document, Authentication). */
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
				'NewsBlur, or the address of your own server. Sandbox: http://127.0.0.1:8787/reader-service.',
		},
		{
			displayName: 'User Name',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
			description: 'Your user name or email address, up to 30 characters',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Leave empty if the account has no password',
		},
		...connectionFields,
		suspiciousTexts,
	];

	authenticate: IAuthenticate = async (credentials, request) => {
		requireAddress(credentials);
		requireHarmless(credentials);
		const cookies = cookiesIn(credentials);
		if (cookies === '') throw NO_SESSION;
		const headers = { ...request.headers, Cookie: cookies };
		return { ...request, ...connectionOf(credentials), headers };
	};

	/** Logs in again: a stored session may be valid although the password in the form is wrong. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{$credentials.baseUrl${PLAIN_ADDRESS}}}`,
			url: '/api/login',
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: { username: '={{$credentials.username}}', password: '={{$credentials.password}}' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: [404, 407, ...inconclusive.statuses] },
		},
		rules: [
			...inconclusive.rules,
			...statusRules(NOT_THE_SERVICE, 404),
			...memberRules(`${BANNED}. ${BANNED_ADVICE}`, 'error', 'Forbidden'),
			...memberRules(REFUSED, 'code', -1),
			...memberRules(REFUSED, 'authenticated', false),
			...memberRules(NOT_THE_SERVICE, 'authenticated', undefined),
		] as ICredentialTestRequest['rules'],
	};

	/** Logs in. n8n calls it if there is no session yet, or if the last one ended, and stores the result. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const baseUrl = requireAddress(credentials);
		requireHarmless(credentials);
		const limit = AbortSignal.timeout(loginLimitOf(credentials));
		const request = this.helpers.httpRequest({
			...connectionOf(credentials),
			abortSignal: limit,
			method: 'POST',
			url: `${baseUrl}/api/login`,
			headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent() },
			body: new URLSearchParams({
				username: String(credentials.username ?? ''),
				password: String(credentials.password ?? ''),
			}).toString(),
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; headers: Record<string, unknown>; body: unknown }>;
		const response = await request.catch((error: Error) => {
			if (limit.aborted) throw unavailable(TOO_SLOW, LOGIN_TIMED_OUT);
			throw noResponse(SERVICE, baseUrl, error);
		});
		if (response.statusCode === Number(PROXY_LOGIN))
			throw noResponse(SERVICE, baseUrl, { code: PROXY_LOGIN, message: PROXY_LOGIN });
		const cookies = sessionIn(response, String(credentials.password ?? ''));
		return { sessionToken: storedSession(credentials, cookies) };
	}
}

/** Throws if the service would ban the IP address of this n8n for the user name or the password. */
function requireHarmless({ username, password, sendSuspiciousTexts }: ICredentialDataDecryptedObject): void {
	if (isOn(sendSuspiciousTexts)) return;
	const body = { 'User Name': username ?? '', Password: password ?? '' };
	const attack = attackIn({ method: 'POST', path: '/api/login', body });
	if (attack) throw refused(suspicious(attack.name));
}

const suspicious = (name: string): string =>
	`The ${name} contains a text that the service takes for an attack; it would ban the IP address of this n8n ${BANNED_FOR}. Change it, or turn on Send Suspicious Texts if your server does not scan texts`;

/**
 * The session in a login's response: all its cookies, as a browser would keep them. The login counts as refused only if
 * the service itself says so: any other response, such as a proxy's page, may be temporary.
 */
function sessionIn(
	{ statusCode, headers, body }: { statusCode: number; headers: Record<string, unknown>; body: unknown },
	password: string,
): string {
	const response = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
	if (statusCode === 403 && 'error' in response) throw banned();
	// The answer of a rate limit has a code below zero, too.
	const mayRefuse = statusCode < 500 && statusCode !== 429;
	const isRefused = mayRefuse && (Number(response.code) < 0 || response.authenticated === false);
	if (isRefused) {
		const words = textsIn([response.errors, response.message]).join(' ');
		throw refused(words === '' ? REFUSED : `The service says: “${redacted(words, [password])}”`);
	}
	if (response.authenticated !== true && Number(response.code) !== 1)
		throw unavailable(messageOf(statusCode));
	const cookies = cookiesOf([headers['set-cookie']].flat());
	if (cookies === '') throw refused('The login worked, but the service set no session cookie');
	return cookies;
}

/** The message for a response that neither accepts nor refuses the login. */
function messageOf(status: number): string {
	if (status === 429) return BUSY;
	if (status >= 500) return FAILS;
	return status >= 300 && status < 400 ? REDIRECTED : `${NOT_THE_SERVICE} (status ${status})`;
}

/** The `Cookie` header for these `Set-Cookie` headers. Of cookies with the same name, the last one counts. */
function cookiesOf(setCookies: unknown[]): string {
	const cookies = new Map<string, string>();
	for (const cookie of setCookies) {
		const [pair = ''] = String(cookie ?? '').split(';');
		const [name = '', ...value] = pair.trim().split('=');
		cookies.delete(name);
		if (name !== '' && value.join('=') !== '') cookies.set(name, value.join('='));
	}
	return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
