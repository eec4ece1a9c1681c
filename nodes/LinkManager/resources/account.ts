import { text } from '../../runtime/fields/kinds';
import { aMoment, aText, anInteger, aUrlOrNull, record } from '../../runtime/table/record';
import { operation, resource, recordUnder } from '../../runtime/table/operation';
import { confirmed } from '../outputs';

const accountRecord = record({
	id: anInteger.described('ID of the account'),
	username: aText.described('User name of the account'),
	email: aText.described('Email address of the account'),
	avatar: aUrlOrNull.described('URL of your picture'),
	status: aText.described('Plan of the account'),
	expires: aMoment.described('When the plan expires'),
	registered: aMoment.described('When the account was created'),
});

export const account = resource(
	'Account',
	{ description: 'Your own account' },
	{
		get: operation('GET /api/account', {
			action: 'Get the account',
			description: 'Get your profile, plan and expiry date',
			output: recordUnder('data', accountRecord),
		}),
		update: operation('PUT /api/account/update', {
			action: 'Update the account',
			description: 'Change your email address or password',
			idempotent: true,
			body: {
				email: text('Email', {
					example: 'name@example.com',
					description: 'The new email address of your account',
				}),
				password: text('Password', { secret: true, description: 'The new password' }),
			},
			output: confirmed({}),
		}),
	},
);
