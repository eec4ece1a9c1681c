import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import {
	PLAIN_ADDRESS,
	connectionFields,
	connectionOf,
	inconclusive,
	memberRules,
	statusRules,
	requireAddress,
	requireZone,
} from '../nodes/runtime/credential';
import { apiKeyOf } from '../nodes/LinkManager/api-key';

const WRONG_KEY =
	'The service does not accept this API key: copy it again. Older hosts may expect another Scheme';
const WRONG_PATH =
	'There is no link management service at this Base URL: the address of its interface was not found. If it ends with /api, leave that out';
const NOT_THE_SERVICE =
	'Something answers at this Base URL, but it is not a link management service: it sent no account. Check the host, and the folder if it is installed in one';

/** The values of `error` in a refusal. They are listed because a rule of n8n compares with one value. */
const REFUSALS = [1, '1', true, 400, '400', 401, '401', 403, '403'];

/** The value of the Authorization header. */
function authorizationOf(credentials: ICredentialDataDecryptedObject): string {
	const { scheme } = credentials;
	const key = apiKeyOf(credentials);
	return scheme === 'None' ? key : `${scheme === 'Token' ? 'Token' : 'Bearer'} ${key}`;
}

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
			description: 'The address of your host without /api. Sandbox: http://127.0.0.1:8787/links.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key of your account; most hosts show it under API or Developers',
		},
		{
			displayName: 'Scheme',
			name: 'scheme',
			type: 'options',
			options: [
				{ name: 'Bearer', value: 'Bearer' },
				{ name: 'Token', value: 'Token' },
				{ name: 'None', value: 'None' },
			],
			default: 'Bearer',
			description:
				'The word before the key in the Authorization header. Some older hosts expect Token, or the key alone (None).',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: 'UTC',
			placeholder: 'e.g. Europe/Berlin',
			description: 'The time zone of the dates that the host writes. Change it if dates are hours off.',
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
				Authorization: authorizationOf(credentials),
			},
		};
	};

	/** Passes only if the response is an account: hosts respond to a wrong key with 200, too. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{$credentials.baseUrl${PLAIN_ADDRESS}}}`,
			url: '/api/account',
			headers: { accept: 'application/json', 'content-type': 'application/json' },
			disableFollowRedirect: true,
		},
		rules: [
			...inconclusive.rules,
			...statusRules(WRONG_KEY, 400, 401, 403),
			...statusRules(WRONG_PATH, 404),
			...memberRules(WRONG_KEY, 'error', ...REFUSALS),
			...memberRules(NOT_THE_SERVICE, 'error', undefined),
			...memberRules(NOT_THE_SERVICE, 'data.id', undefined),
		] as ICredentialTestRequest['rules'],
	};
}
