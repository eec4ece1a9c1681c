import { feedById } from '../fetching/fetcher.ts';
import { Fault, Rejection } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { subscribedFeeds, titleFor, subscriptionOf } from '../subscriptions.ts';
import { userById } from '../accounts.ts';
import { shareFeedsOf } from '../social/profile-records.ts';
import { forgetCounts } from '../stories/counts.ts';
import { classifierKinds, classifierRecord, classifiersByFeed, setClassifier } from '../classifiers.ts';
import { folderTree } from '../folders/matching.ts';
import { flatFolders } from '../folders/tree.ts';

/** The score of each opinion; both removals have the same effect. */
const opinions = { like: 1, dislike: -1, remove_like: 0, remove_dislike: 0 };

function isKnownFeed(call: Call, feedKey: string): boolean {
	const social = /^social:(\d{1,15})$/.exec(feedKey)?.[1];
	if (social) return userById(call.db, Number(social)) !== undefined;
	return /^\d{1,15}$/.test(feedKey) && feedById(call.db, Number(feedKey)) !== undefined;
}

/** Real hosts fail for share feeds without a subscription. */
function needFollowed(call: Call, feedKey: string): void {
	const sharer = /^social:(\d+)$/.exec(feedKey)?.[1];
	if (sharer === undefined || shareFeedsOf(call.reader, call.user.id).includes(Number(sharer))) return;
	throw new Fault(`You do not follow ${feedKey}.`, 500);
}

function classifiersOf(call: Call): object {
	const feedKey = call.path['id'] ?? '';
	if (!/^\d+$/.test(feedKey)) throw new Fault(`There is no feed ${feedKey}.`, 404);
	return { code: 0, payload: classifierRecord(classifiersByFeed(call.reader, call.user).get(feedKey)) };
}

/** Interface document, "Classifiers"; removing comes before setting, so that one call can turn a like into a dislike. */
function saveClassifiers(call: Call): object {
	const feedKey = call.parameters.text('feed_id');
	if (feedKey === undefined) throw new Fault('Missing parameter: feed_id', 500);
	needFollowed(call, feedKey);
	if (!isKnownFeed(call, feedKey)) throw new Fault(`There is no feed ${feedKey}.`, 404);
	const isWide = scopeOf(call) !== 'feed';
	if (isWide) forgetCounts(call.reader, call.user, subscribedFeeds(call.reader, call.user));
	else if (!feedKey.startsWith('social:')) forgetCounts(call.reader, call.user, [Number(feedKey)]);
	const values = (name: string) => call.parameters.list(name);
	if (call.reader.is2026) saveNewerClassifiers(call, feedKey, values);
	call.db.transaction(() => {
		for (const [opinion, score] of Object.entries(opinions).sort(
			([, a], [, b]) => Math.abs(a) - Math.abs(b),
		)) {
			for (const { kind } of scopeOf(call) === 'feed' ? classifierKinds : []) {
				for (const value of values(`${opinion}_${kind}`)) {
					const key = kind === 'feed' && /^\d+$/.test(value) ? value : feedKey;
					setClassifier(call.reader, call.user, key, kind, kind === 'feed' ? key : value, score);
				}
			}
		}
	});
	return { code: 0, message: 'OK', payload: {} };
}

/** The scope of a classifier; older hosts support only feeds. */
function scopeOf(call: Call): 'feed' | 'folder' | 'global' {
	const requested = call.reader.is2026 ? call.parameters.text('scope') : undefined;
	return requested === 'folder' || requested === 'global' ? requested : 'feed';
}

export const classifierRoutes: readonly Route[] = [
	write('/classifier/save', saveClassifiers),
	read('/classifier/:id', classifiersOf),
];

/** Additional classifiers of 2026: more kinds, wider scopes, super dislikes. */

const newerKinds = ['text', 'url', 'title_regex', 'text_regex', 'url_regex'];
const newerOpinions = {
	remove_like: 0,
	remove_dislike: 0,
	remove_super_dislike: 0,
	like: 1,
	dislike: -1,
	super_dislike: -2,
};
const plurals: Record<string, string> = {
	title: 'titles',
	author: 'authors',
	tag: 'tags',
	text: 'texts',
	feed: 'feeds',
	url: 'urls',
};

interface NewerRow {
	feed_key: string;
	scope: string;
	folder_name: string;
	kind: string;
	value: string;
	score: number;
}

/**
 * Saves the classifiers that older hosts do not know: newer kinds, other scopes, and super dislikes. A regular expression that cannot be
 * read is dropped without an error.
 */
export function saveNewerClassifiers(call: Call, feedKey: string, values: (name: string) => string[]): void {
	const { reader, user, parameters } = call;
	const requested = parameters.text('scope') ?? 'feed';
	const scope = requested === 'folder' || requested === 'global' ? requested : 'feed';
	if (scope !== 'feed' && !reader.keepsEverything(user)) {
		throw new Rejection('Premium Archive required for folder and global classifiers.');
	}
	const folder = scope === 'folder' ? (parameters.text('folder_name') ?? '') : '';
	const older = classifierKinds.map(({ kind }) => kind);
	call.db.transaction(() => {
		for (const [opinion, score] of Object.entries(newerOpinions)) {
			for (const kind of [...older, ...newerKinds]) {
				for (const value of values(`${opinion}_${kind}`)) {
					if (kind.endsWith('_regex') && !isRegex(value)) continue;
					const known = older.find((each) => each === kind);
					if (scope === 'feed' && known !== undefined) {
						if (opinion.endsWith('super_dislike')) {
							setClassifier(reader, user, feedKey, known, known === 'feed' ? feedKey : value, score);
						}
					} else {
						keep(call, {
							feed_key: scope === 'feed' ? feedKey : '',
							scope,
							folder_name: folder,
							kind,
							value,
							score,
						});
					}
				}
			}
		}
	});
}

function isRegex(text: string): boolean {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
}

function keep({ db, user }: Call, row: NewerRow): void {
	const others = db.all<NewerRow>(
		`SELECT * FROM reader_newer_classifiers WHERE user_id = ? AND feed_key = ? AND value = ?
		AND replace(kind, '_regex', '') = ?`,
		user.id,
		row.feed_key,
		row.value,
		kindOf(row),
	);
	const isSame = (other: NewerRow): boolean =>
		other.scope === row.scope && other.folder_name === row.folder_name && other.kind === row.kind;
	// The service takes the only one with another scope or kind for one that it lacks.
	const twin = others.length === 1 && !others.some(isSame) ? others[0] : undefined;
	const { feed_key, value, score } = row;
	const { scope, folder_name, kind } = twin ?? row;
	const key = [user.id, feed_key, scope, folder_name, kind, value];
	db.run(
		`DELETE FROM reader_newer_classifiers WHERE user_id = ? AND feed_key = ? AND scope = ? AND folder_name = ?
		AND kind = ? AND value = ?`,
		...key,
	);
	if (score !== 0) db.run('INSERT INTO reader_newer_classifiers VALUES (?, ?, ?, ?, ?, ?, ?)', ...key, score);
}

/** All classifiers of the account by folder and feed; feeds in no folder are under `Uncategorized`. */
function allClassifiers(call: Call): object {
	const { reader, user, db } = call;
	const newer = db.all<NewerRow>(
		`SELECT feed_key, scope, folder_name, kind, value, score FROM reader_newer_classifiers
		WHERE user_id = ? ORDER BY kind, value`,
		user.id,
	);
	const older = [...classifiersByFeed(reader, user, true)].flatMap(([feed_key, classifiers]) =>
		classifiers.map((classifier): NewerRow => ({ ...classifier, feed_key, scope: 'feed', folder_name: '' })),
	);
	const rows = [...older, ...newer];
	const folders = Object.entries(flatFolders(folderTree(reader, user))).flatMap(([name, ids]) => {
		const feeds = subscribedFeeds(reader, user, ids).flatMap((id) => feedClassifiers(call, id, rows));
		return feeds.length === 0 ? [] : [{ folder_name: name === ' ' ? 'Uncategorized' : name, feeds }];
	});
	const scoped = rows.filter(({ scope }) => scope !== 'feed');
	return {
		folders,
		total_classifiers: rows.length,
		...(scoped.length > 0 && {
			scoped_classifiers: listsOf(scoped),
		}),
	};
}

function feedClassifiers(call: Call, feedId: number, rows: readonly NewerRow[]): object[] {
	const feed = feedById(call.db, feedId);
	const own = rows.filter(({ feed_key }) => feed_key === String(feedId));
	if (feed === undefined || own.length === 0) return [];
	return [
		{
			feed_id: feedId,
			feed_title: titleFor(feed, subscriptionOf(call.reader, call.user, feedId)),
			classifiers: { ...listsOf(own), prompts: [], image_prompts: [] },
		},
	];
}

/** Classifiers by kind: `titles` and the like. */
const listsOf = (rows: readonly NewerRow[]): Record<string, object[]> =>
	Object.fromEntries(
		Object.entries(plurals).map(([kind, plural]) => [
			plural,
			rows.filter((row) => kindOf(row) === kind).map((row) => ({ [kind]: row.value, ...entryOf(row) })),
		]),
	);

const kindOf = ({ kind }: NewerRow): string => kind.replace('_regex', '');

const entryOf = ({ value, score, scope, folder_name, kind }: NewerRow) => ({
	value,
	score,
	is_regex: kind.endsWith('_regex'),
	scope,
	folder_name,
});

export const newerClassifierRoutes: readonly Route[] = [
	{ ...read('/reader/all_classifiers', allClassifiers), access: 'write' },
];
