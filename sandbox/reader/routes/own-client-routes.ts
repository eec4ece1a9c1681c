import { Fault } from '../http/response.ts';
import { write, type Call, type Route } from '../http/reader-route.ts';

/** Endpoints of the service's command line and agent server that the contract lacks; seen on real hosts. */

interface NotificationRow {
	feed_id: number;
	/** JSON text. */
	types: string;
	filter: string;
}

function isPremium({ reader, user, parameters }: Call): object {
	if (!parameters.has('retries')) throw new Fault('retries is missing.', 500);
	const subscriptions = (condition: string) =>
		reader.db.count(`SELECT COUNT(*) FROM reader_subscriptions WHERE user_id = ? AND ${condition}`, user.id);
	return {
		is_premium: reader.isPremium(user),
		is_premium_archive: reader.keepsEverything(user),
		code: 0,
		activated_subs: subscriptions('active = 1'),
		total_subs: subscriptions('TRUE'),
	};
}

/** The sandbox has no endpoint for these preferences. */
const preferences = () => ({ code: 1, payload: {} });

function notifications({ db, user }: Call): object {
	const rows = db.all<NotificationRow>(
		'SELECT feed_id, types, filter FROM reader_notifications WHERE user_id = ? ORDER BY feed_id',
		user.id,
	);
	return Object.fromEntries(
		rows.map(({ feed_id, types, filter }) => [
			feed_id,
			{ notification_types: JSON.parse(types) as string[], notification_filter: filter },
		]),
	);
}

const notificationTypes = ['email', 'web', 'ios', 'android'];

/** Which messages are sent for a feed; none of the types: no entry. Nothing is ever sent here. */
function setNotifications(call: Call): object {
	const { db, user, parameters } = call;
	const feedId = Number(call.need('feed_id'));
	const given = parameters.list('notification_types');
	const types = notificationTypes.filter((type) => given.includes(type));
	const filter = parameters.text('notification_filter') === 'focus' ? 'focus' : 'unread';
	db.run('DELETE FROM reader_notifications WHERE user_id = ? AND feed_id = ?', user.id, feedId);
	if (types.length > 0) {
		db.run(
			'INSERT INTO reader_notifications VALUES (?, ?, ?, ?)',
			user.id,
			feedId,
			JSON.stringify(types),
			filter,
		);
	}
	return { notifications_by_feed: notifications(call) };
}

const get = (path: string, answer: Route['handle']): Route => ({ ...write(path, answer), method: 'BOTH' });

export const ownClientRoutes: readonly Route[] = [
	get('/profile/is_premium', isPremium),
	get('/profile/get_preferences', preferences),
	get('/notifications', notifications),
	write('/notifications/feed', setNotifications),
];
