import type { INodeProperties } from 'n8n-workflow';
import { sortedOptions } from '../runtime/fields/kinds';
import { answerSecrets } from './service';

/** Which of the two kinds of credential is used. */
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
};

/** Answers may bring tokens that read the account; they come out only when asked for by name. */
export const includeSecrets: INodeProperties = {
	displayName: 'Include Secrets',
	name: 'includeSecrets',
	type: 'multiOptions',
	options: sortedOptions(answerSecrets),
	default: [],
	description: 'What to leave unmasked in the output although whoever has it can read your account',
};
