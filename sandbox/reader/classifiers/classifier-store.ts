import type { Reader } from '../reader.ts';
import type { UserRow } from '../storage/rows.ts';
import { classifierKinds, type Classifier, type ClassifierKind } from './scoring.ts';

/** An account's classifiers by feed id, or `social:12` for a share feed; of all feeds or only of subscriptions. */
export function classifiersByFeed(
	reader: Reader,
	user: UserRow,
	subscribedOnly = false,
): Map<string, Classifier[]> {
	const byFeed = new Map<string, Classifier[]>();
	const subscribed = `feed_key IN (SELECT CAST(feed_id AS TEXT) FROM reader_subscriptions WHERE user_id = ?1)`;
	const rows = reader.db.all<Classifier & { feed_key: string }>(
		`SELECT feed_key, kind, value, score FROM reader_classifiers
		WHERE user_id = ?1 ${subscribedOnly ? `AND ${subscribed}` : ''} ORDER BY feed_key, kind, value`,
		user.id,
	);
	for (const { feed_key, kind, value, score } of rows) {
		const list = byFeed.get(feed_key) ?? [];
		list.push({ kind, value, score });
		byFeed.set(feed_key, list);
	}
	return byFeed;
}

/** The record of a feed's classifiers: 1 for a like, −1 for a dislike, by kind and value. */
export function classifierRecord(
	classifiers: readonly Classifier[] = [],
): Record<string, Record<string, number>> {
	return Object.fromEntries(
		classifierKinds.map(({ kind, plural }) => [
			plural,
			Object.fromEntries(
				classifiers
					.filter((classifier) => classifier.kind === kind)
					.map(({ value, score }) => [value, score]),
			),
		]),
	);
}

/** Sets an opinion; 0 removes it. */
export function setClassifier(
	reader: Reader,
	user: UserRow,
	feedKey: string,
	kind: ClassifierKind,
	value: string,
	score: number,
): void {
	if (score === 0) {
		reader.db.run(
			'DELETE FROM reader_classifiers WHERE user_id = ? AND feed_key = ? AND kind = ? AND value = ?',
			user.id,
			feedKey,
			kind,
			value,
		);
		return;
	}
	reader.db.run(
		`INSERT INTO reader_classifiers (user_id, feed_key, kind, value, score) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET score = excluded.score`,
		user.id,
		feedKey,
		kind,
		value,
		score,
	);
}
