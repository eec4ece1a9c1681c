import { isPassword } from '../../shared/secrets.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { userByName } from './users.ts';

type LoginResult = { user: UserRow } | { field: string; problem: string };

/** Finds an account by name or e-mail and checks the password. An account without a password accepts only a blank one. */
export function checkLogin(reader: Reader, name: string, password: string): LoginResult {
	if (name === '') return { field: 'username', problem: 'Please enter a username.' };
	const user = userByName(reader.db, name);
	if (user === undefined) {
		return { field: '__all__', problem: 'That username is not registered. Please try again.' };
	}
	const { password_hash: hash } = user;
	const isRight = hash === null ? password === '' : isPassword(password, hash);
	return isRight ? { user } : { field: '__all__', problem: 'Wrong password. Please try again.' };
}
