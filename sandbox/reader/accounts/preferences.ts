import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';

/** All preferences of an account that are set. */
export function preferencesOf(reader: Reader, user: UserRow): Record<string, unknown> {
	const rows = reader.db.all<{ name: string; value: string }>(
		'SELECT name, value FROM reader_preferences WHERE user_id = ? ORDER BY name',
		user.id,
	);
	return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
}

/** Sets a preference; the texts `true` and `false` become booleans. */
export function setPreference(reader: Reader, user: UserRow, name: string, text: string): void {
	const value = text === 'true' || text === 'false' ? text === 'true' : text;
	reader.db.run(
		'INSERT INTO reader_preferences VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		user.id,
		name,
		JSON.stringify(value),
	);
}
