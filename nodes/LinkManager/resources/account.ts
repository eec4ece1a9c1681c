import { text } from '../../operation/kinds';
import { aText, anInteger, aUrlOrNull, record } from '../../operation/record';
import { operation, resource } from '../../operation/row';
import { confirmed, under } from './shared';

const accountRecord = record({
	id: anInteger,
	email: aText,
	username: aText,
	avatar: aUrlOrNull,
	status: aText,
	expires: aText,
	registered: aText,
});

export const account = resource(
	'Account',
	{ description: 'Your own account' },
	{
		get: operation('GET /api/account', {
			name: 'Get',
			action: 'Get the account',
			description: 'Get your profile, plan and expiry date',
			output: under('data', accountRecord),
		}),
		update: operation('PUT /api/account/update', {
			name: 'Update',
			action: 'Update the account',
			description: 'Change your email address or password',
			body: {
				email: text('Email', { example: 'name@example.com' }),
				password: text('Password', { secret: true, description: 'The new password' }),
			},
			output: confirmed({}),
		}),
	},
);
