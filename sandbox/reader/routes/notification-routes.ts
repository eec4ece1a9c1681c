import { write, type Call, type Route } from '../http/reader-route.ts';

interface NotificationRow {
	feed_id: number;
	/** JSON text. */
	types: string;
	filter: string;
}

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

/** Which messages are sent for a feed; none of the types: no entry. The sandbox sends none. */
function setNotifications(call: Call): object {
	const { db, user, parameters } = call;
	const feedId = call.needId('feed_id');
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

export const notificationRoutes: readonly Route[] = [
	{ ...write('/notifications', notifications), method: 'BOTH' },
	write('/notifications/feed', setNotifications),
];
