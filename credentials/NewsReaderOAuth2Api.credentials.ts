import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	INodeProperties,
	Icon,
} from 'n8n-workflow';
import {
	PLAIN_ADDRESS,
	connectionFields,
	inconclusive,
	memberRules,
	statusRules,
	requireAddress,
} from '../nodes/runtime/credential';
import { BANNED_FOR, suspiciousTexts } from '../nodes/NewsReader/attack-texts';

const NOT_CONNECTED =
	'The service does not accept the access token: run an operation, which renews it, or connect the account again';
const NOT_CONNECTED_OR_BANNED = `${NOT_CONNECTED}. If that does not help, the service may have banned the IP address of this n8n ${BANNED_FOR}`;
const NOT_THE_SERVICE =
	'Something answers at this Base URL, but it is not a news reader service: check the host and the path';

/** Access to the news reader service by OAuth 2.0, authorization code (interface document, Authentication). */
export class NewsReaderOAuth2Api implements ICredentialType {
	name = 'newsReaderOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'News Reader OAuth2 API';

	icon: Icon = {
		light: 'file:../nodes/NewsReader/newsReader.svg',
		dark: 'file:../nodes/NewsReader/newsReader.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-newslink/n8n-nodes-newslink/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://www.newsblur.com',
			required: true,
			placeholder: 'e.g. https://reader.example.com',
			// The token belongs to the host where the account was connected.
			noDataExpression: true,
			description:
				'NewsBlur, or the address of your own server. Sandbox: http://127.0.0.1:8787/reader-service.',
		},
		{ displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'authorizationCode' },
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'hidden',
			default: `={{$self["baseUrl"]${PLAIN_ADDRESS}}}/oauth/authorize`,
			required: true,
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'hidden',
			default: `={{$self["baseUrl"]${PLAIN_ADDRESS}}}/oauth/token`,
			required: true,
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'read write',
			description: 'The permissions to request, separated by spaces',
		},
		{ displayName: 'Auth URI Query Parameters', name: 'authQueryParameters', type: 'hidden', default: '' },
		{ displayName: 'Authentication', name: 'authentication', type: 'hidden', default: 'header' },
		{
			displayName: 'Token Expired Status Code',
			name: 'tokenExpiredStatusCode',
			type: 'hidden',
			typeOptions: { password: true },
			// The service answers an expired token with 403 (seen in the wild).
			default: 403,
		},
		...connectionFields,
		suspiciousTexts,
	];

	/** Hosts respond to an invalid token with 401, with 403, or with 200 and `authenticated: false`. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{$credentials.baseUrl${PLAIN_ADDRESS}}}`,
			url: '/social/load_user_profile',
			disableFollowRedirect: true,
			skipSslCertificateValidation: '={{$credentials.ignoreSSLIssues}}',
		},
		rules: [
			...inconclusive.rules,
			...statusRules(NOT_CONNECTED, 401),
			...statusRules(NOT_CONNECTED_OR_BANNED, 403),
			...statusRules(NOT_THE_SERVICE, 404),
			...memberRules(NOT_CONNECTED, 'authenticated', false),
			...memberRules(NOT_THE_SERVICE, 'authenticated', undefined),
		] as ICredentialTestRequest['rules'],
	};

	/** n8n calls it before each request. It checks the Base URL; OAuth 2.0 needs no login here. */
	async preAuthentication(credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		requireAddress(credentials);
		return {};
	}
}
