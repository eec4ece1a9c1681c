import type { INodeProperties } from 'n8n-workflow';

/** Which of the two credentials to use. */
export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'OAuth2', value: 'oAuth2' },
		{ name: 'User Name and Password', value: 'session' },
	],
	default: 'session',
	description: 'Which credential to use',
};
