import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

const WRONG_KEY = 'The service does not accept this API key';
const WRONG_PATH =
	'There is no link management service at this Base URL: the address of its interface was not found. Enter the Base URL without /api';
const REDIRECTED =
	'The service redirects from this Base URL: enter the address that it leads to, for example with https://';
const NOT_THE_SERVICE =
	'Something answers at this Base URL, but it is not a link management service: it sent no account';

/** In an expression: the address that a text is, without slashes at its end; nothing if it holds more than an address. */
const PLAIN = '.trim().match(/^https?:\\/\\/[^@?#]+$/i)?.[0].replace(/\\/+$/, "") ?? ""';

/** What `error` is in an answer that refuses: n8n's rules compare with one value each. */
const REFUSALS = [1, '1', true, 400, '400', 401, '401', 403, '403'];

/** The API key of an account of the link management service (interface document, Authentication). */
export class LinkManagerApi implements ICredentialType {
	name = 'linkManagerApi';

	displayName = 'Link Manager API';

	icon: Icon = {
		light: 'file:../nodes/LinkManager/linkManager.svg',
		dark: 'file:../nodes/LinkManager/linkManager.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-newslink/n8n-nodes-newslink/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://links.example.com',
			description:
				'The address of the host where you have your account, without /api: hosts of Premium URL Shortener differ. The sandbox has http://127.0.0.1:8787/links.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key of your account, which most hosts show under API or Developers',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	/** Passes only if the answer is an account: hosts answer 200 to a wrong key, too. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{$credentials.baseUrl${PLAIN}}}`,
			url: '/api/account',
			headers: { accept: 'application/json', 'content-type': 'application/json' },
			disableFollowRedirect: true,
		},
		rules: [
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode',
				properties: { value, message: REDIRECTED },
			})),
			...[400, 401, 403].map((value) => ({
				type: 'responseCode',
				properties: { value, message: WRONG_KEY },
			})),
			{ type: 'responseCode', properties: { value: 404, message: WRONG_PATH } },
			...REFUSALS.map((value) => ({
				type: 'responseSuccessBody',
				properties: { key: 'error', value, message: WRONG_KEY },
			})),
			...['error', 'data.id'].map((key) => ({
				type: 'responseSuccessBody',
				properties: { key, value: undefined, message: NOT_THE_SERVICE },
			})),
		] as ICredentialTestRequest['rules'],
	};
}
