import { requiredText } from '../../runtime/fields/kinds';
import { anInteger, exact, optional, record } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { aConfirmation, success } from '../outputs';

const signedUp = record({
	success: aConfirmation,
	userId: optional(anInteger).described('ID of the new user, or of the one with this name and password'),
});

export const account = resource(
	'Account',
	{ description: 'Sessions and new accounts; the credential logs in' },
	{
		logOut: operation('POST /api/logout', {
			action: 'Log out',
			description:
				'End the session of the credential (an OAuth2 token stays valid); the next operation logs in again',
			output: success,
		}),
		signUp: operation('POST /api/signup', {
			action: 'Sign up',
			description: 'Create another account; refused if the email is taken, or the name with another password',
			body: {
				username: requiredText('User Name', {
					paramName: 'newUsername',
					example: 'ada',
					description: 'The name of the new account',
				}),
				// A blank password would become the user name (seen in the wild).
				password: requiredText('Password', {
					paramName: 'newPassword',
					secret: true,
					description: 'The password of the new account',
				}),
				email: requiredText('Email', {
					paramName: 'newEmail',
					example: 'name@example.com',
					description: 'The email address of the new account’s owner',
				}),
			},
			// With a cookie, its session would end (seen in the wild).
			prepare: () => ({ anonymous: true }),
			output: {
				schema: signedUp,
				select: ({ json }) =>
					isRecord(json)
						? exact(signedUp, { success: true, ...('user_id' in json && { userId: json.user_id }) })
						: undefined,
			},
		}),
	},
);
