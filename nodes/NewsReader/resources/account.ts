import { IN_VERSION_1, shownIf, showWhen, SINCE_VERSION_1_1 } from '../../runtime/fields/compound';
import { required, type Field } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, make, optional, record } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { success } from '../outputs';

const signedUp = record({ success: aBoolean, userId: optional(anInteger) });

const password = text('Password', {
	parameter: 'newPassword',
	secret: true,
	description: 'What the new account logs in with, beside its name',
});
/** A blank one would become the user name (seen in the wild). Version 1 offered it among the additional fields. */
const newPassword: Field<string> = {
	...required(password),
	properties: (name) => [
		...shownIf(SINCE_VERSION_1_1, required(password)).properties(name),
		showWhen(
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				description: 'What else can be set',
				default: {},
				options: password.properties(name),
			},
			IN_VERSION_1,
		),
	],
	read: (form, name) => {
		const added = form.collection('additionalFields', 'Additional Fields');
		return required(password).read(added.holds(name) ? added : form, name);
	},
};

export const account = resource(
	'Account',
	{ description: 'Sessions and new accounts; logging in is the credential’s work' },
	{
		logOut: operation('POST /api/logout', {
			name: 'Log Out',
			action: 'Log out',
			description: 'End the session of the credential; the next operation logs in again',
			output: success,
		}),
		signUp: operation('POST /api/signup', {
			name: 'Sign Up',
			action: 'Sign up',
			description: 'Create an account for somebody else than the credential’s user',
			body: {
				username: required(
					text('User Name', {
						parameter: 'newUsername',
						example: 'ada',
						description: 'What the new account is called',
					}),
				),
				password: newPassword,
				email: required(
					text('Email', {
						parameter: 'newEmail',
						example: 'name@example.com',
						description: 'Where the service writes to the owner of the new account',
					}),
				),
			},
			// A session that came with it would end (seen in the wild).
			prepare: () => ({ anonymous: true }),
			output: {
				kind: signedUp,
				pick: ({ json }) =>
					isRecord(json)
						? make(signedUp, { success: true, ...('user_id' in json && { userId: json.user_id }) })
						: undefined,
			},
		}),
	},
);
