import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import {
	PLAIN,
	connectionFields,
	connectionOf,
	elsewhereOrAway,
	ofMember,
	ofStatus,
	requireAddress,
	requireZone,
} from '../nodes/credential';

const WRONG_KEY =
	'The service does not accept this API key: copy it again. Older hosts may want the Scheme Token';
const WRONG_PATH =
	'There is no link management service at this Base URL: the address of its interface was not found. Enter the Base URL without /api';
const NOT_THE_SERVICE =
	'Something answers at this Base URL, but it is not a link management service: it sent no account. Check the host, and the folder if it lives in one';

/** What `error` is in an answer that refuses: n8n's rules compare with one value each. */
const REFUSALS = [1, '1', true, 400, '400', 401, '401', 403, '403'];

/** Nothing but one of the two is sent; credentials of before have none. */
const schemeOf = ({ scheme }: ICredentialDataDecryptedObject): string =>
	scheme === 'Token' ? 'Token' : 'Bearer';

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
		{
			displayName: 'Scheme',
			name: 'scheme',
			type: 'options',
			options: [
				{ name: 'Bearer', value: 'Bearer' },
				{ name: 'Token', value: 'Token' },
			],
			default: 'Bearer',
			description: 'The word before the key in the header Authorization; some older hosts take Token',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: 'UTC',
			placeholder: 'e.g. Europe/Berlin',
			description:
				'Of the clock by which the host writes dates, without saying so. Set it where the dates that nodes give are hours off.',
		},
		...connectionFields,
	];

	authenticate: IAuthenticate = async (credentials, request) => {
		requireAddress(credentials);
		requireZone(credentials);
		return {
			...request,
			...connectionOf(credentials),
			headers: {
				...request.headers,
				Authorization: `${schemeOf(credentials)} ${String(credentials.apiKey)}`,
			},
		};
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
			...elsewhereOrAway.rules,
			...ofStatus(WRONG_KEY, 400, 401, 403),
			...ofStatus(WRONG_PATH, 404),
			...ofMember(WRONG_KEY, 'error', ...REFUSALS),
			...ofMember(NOT_THE_SERVICE, 'error', undefined),
			...ofMember(NOT_THE_SERVICE, 'data.id', undefined),
		] as ICredentialTestRequest['rules'],
	};
}
