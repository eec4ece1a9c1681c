import type { ApiResponse } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { choice, severalOf } from '../../runtime/fields/kinds';
import { aText, anInteger, exact, listOf, record } from '../../runtime/table/record';
import { operation, resource, shaped, type Output } from '../../runtime/table/operation';
import { isRecord, toInteger } from '../../runtime/values';
import { feedId } from '../fields/locators';
import { singlePage } from '../lists';
import { onNewerServers } from '../model/newer-servers';

const setting = record({ feed_id: anInteger, notification_types: listOf(aText), notification_filter: aText });
const simpleSetting = record({
	feedId: anInteger.described('ID of the feed'),
	types: listOf(aText).described('How you are notified'),
	filter: aText.described('Which new stories you are notified of: focus or unread'),
});

/** The settings of feeds are beside the envelope, under the feeds' ids. */
const settingsIn = ({ json }: ApiResponse): unknown[] | undefined =>
	isRecord(json)
		? Object.entries(json).flatMap(([id, value]) =>
				toInteger(id) === undefined || !isRecord(value) ? [] : [{ feed_id: toInteger(id), ...value }],
			)
		: undefined;

const output: Output = {
	schema: setting,
	select: settingsIn,
	shape: shaped(simpleSetting, (found) =>
		exact(simpleSetting, {
			feedId: found.feed_id,
			types: found.notification_types ?? [],
			filter: found.notification_filter,
		}),
	),
};

export const notification = resource(
	'Notification',
	{ description: 'Which feeds the service notifies you of, and how' },
	{
		getAll: onNewerServers(
			operation('GET /notifications/', {
				name: 'Get Many',
				action: 'Get many notification settings',
				description: 'List the feeds that the service notifies you of (newer servers)',
				paging: singlePage(settingsIn, 'settings'),
				output,
			}),
		),
		set: onNewerServers(
			operation('POST /notifications/feed', {
				name: 'Set',
				action: 'Set the notifications of a feed',
				description: 'Choose how the service notifies you of new stories of a feed (newer servers)',
				idempotent: true,
				body: {
					feed_id: feedId,
					notification_types: severalOf(
						'Notify By',
						{ android: 'Android', email: 'Email', ios: 'iOS', web: 'Browser' },
						{ paramName: 'notifyBy', description: 'How to notify you; none turns notifications off' },
					),
					notification_filter: required(
						choice(
							'Notify Of',
							{ focus: 'Focus Stories', unread: 'All Unread Stories' },
							{ paramName: 'notifyOf', default: 'unread', description: 'Which new stories to notify of' },
						),
					),
				},
				output: {
					...output,
					select: () => ({}),
					shape: shaped(simpleSetting, (_setting, _response, _params, sent = {}) =>
						exact(simpleSetting, {
							feedId: sent.feed_id,
							types: sent.notification_types ?? [],
							filter: sent.notification_filter,
						}),
					),
				},
			}),
		),
	},
);
