import { feedById } from '../fetching/fetcher.ts';
import { Fault } from '../http/response.ts';
import { read, write, type Call, type Route } from '../http/reader-route.ts';
import { subscribedFeeds } from '../subscriptions.ts';
import { userById } from '../accounts/users.ts';
import { shareFeedsOf } from '../social/profile-records.ts';
import { forgetCounts } from '../stories/counts.ts';
import { classifierKinds, classifierRecord, classifiersByFeed, setClassifier } from '../classifiers.ts';
import { saveNewerClassifiers } from './newer-classifier-routes.ts';

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

/** Contract, "Classifiers"; removing comes before setting, so that one call can turn a like into a dislike. */
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
