import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** The description in n8n's node panel, which shows a node and its trigger as one entry. */
export const ABOUT =
	'Read, mark, save and share stories of NewsBlur or your own NewsBlur server, or start on new ones';

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

export const credentials: INodeTypeDescription['credentials'] = [
	{
		name: 'newsReaderSessionApi',
		required: true,
		displayOptions: { show: { authentication: ['session'] } },
	},
	{
		name: 'newsReaderOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
];
