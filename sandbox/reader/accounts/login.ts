import { isPassword } from '../../shared/secrets.ts';
import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { userByName } from './users.ts';

export type LoginResult = { user: UserRow } | { field: string; problem: string };

/** Characters of a name or e-mail that the login form of real hosts accepts. */
const longestName = 30;

/** Finds an account by name or e-mail and checks the password. An account without a password accepts only a blank one. */
export function checkLogin(reader: Reader, name: string, password: string): LoginResult {
	if (name === '') return { field: 'username', problem: 'Please enter a username.' };
	if (name.length > longestName && reader.differs('long-logins')) {
		const problem = `Ensure this value has at most ${longestName} characters (it has ${name.length}).`;
		return { field: 'username', problem };
	}
	const user = userByName(reader.db, name);
	if (user === undefined) {
		return { field: '__all__', problem: 'That username is not registered. Please try again.' };
	}
	return isRightPassword(reader, user, password)
		? { user }
		: { field: '__all__', problem: wrongPassword(reader) };
}

const wrongPassword = (reader: Reader): string =>
	reader.differs('internal-texts')
		? 'Whoopsy-daisy, wrong password. Try again.'
		: 'Wrong password. Please try again.';

/** Seen on real hosts: an account without a password, or with its own name as password, accepts any. */
function isRightPassword(
	reader: Reader,
	{ username, password_hash: hash }: UserRow,
	password: string,
): boolean {
	if (reader.differs('loose-passwords') && (hash === null || isPassword(username, hash))) return true;
	return hash === null ? password === '' : isPassword(password, hash);
}
