import { isPassword } from '../../shared/secrets.ts';
import type { Queries } from '../storage/queries.ts';
import type { UserRow } from '../storage/rows.ts';
import { userByName } from './users.ts';

export type LoginResult = { user: UserRow } | { field: string; problem: string };

/** Looks an account up by name or e-mail. An account without a password takes only a blank one. */
export function checkLogin(db: Queries, name: string, password: string): LoginResult {
	if (name === '') return { field: 'username', problem: 'Please enter a username.' };
	const user = userByName(db, name);
	if (user === undefined) {
		return { field: '__all__', problem: 'That username is not registered. Please try again.' };
	}
	const right = user.password_hash === null ? password === '' : isPassword(password, user.password_hash);
	return right ? { user } : { field: '__all__', problem: 'Wrong password. Please try again.' };
}
