import { preferencesOf, setPreference } from '../accounts/preferences.ts';
import { write, type Call, type Route } from '../http/reader-route.ts';

/** Each field is a preference of the account. */
function setPreferences(call: Call): object {
	const { reader, user, parameters } = call;
	call.db.transaction(() => {
		for (const [name, value] of parameters.entries()) setPreference(reader, user, name, value);
	});
	return { code: 1, message: '', new_preferences: preferencesOf(reader, user) };
}

export const preferenceRoutes: readonly Route[] = [write('/profile/set_preference', setPreferences)];
