import { hashPassword } from '../../shared/secrets.ts';
import { addresses } from '../public-addresses.ts';
import { conflict } from '../responses.ts';
import { filledText, object, optional, textThat } from '../fields.ts';
import { action } from '../link-route.ts';

const email = textThat((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address');

export const accountRoutes = [
	action({
		method: 'GET',
		path: '/account',
		run: ({ account, context }) => ({
			data: {
				id: account.id,
				email: account.email,
				username: account.username,
				avatar: addresses.asset(context, 'avatar.png'),
				status: account.status,
				expires: account.expires,
				registered: account.registered,
			},
		}),
	}),
	action({
		method: 'PUT',
		path: '/account/update',
		body: object({ email: optional(email), password: optional(filledText) }),
		run({ store, account, body }) {
			const holder = body.email === undefined ? undefined : store.find('accounts', { email: body.email });
			if (holder !== undefined && holder.id !== account.id) throw conflict('That e-mail address');
			store.update('accounts', account.id, {
				email: body.email,
				password_hash: body.password === undefined ? undefined : hashPassword(body.password),
			});
			return { message: 'Account has been successfully updated.' };
		},
	}),
];
