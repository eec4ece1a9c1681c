import type { ApiResponse } from '../../runtime/api-types';
import { severalOf, requiredChoice } from '../../runtime/fields/kinds';
import { aText, listOf } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { isRecord, toInteger } from '../../runtime/values';
import { feedId } from '../fields/locators';
import { singlePage } from '../lists';
import { selected, selection, aFeedId } from '../model/records';

const setting = selection({
	feedId: ['feed_id', aFeedId],
	types: [({ notification_types: types }) => types ?? [], listOf(aText).described('How you are notified')],
	filter: ['notification_filter', aText.described('Which new stories you are notified of: focus or unread')],
});

/** The settings of feeds are beside the envelope, under the feeds' ids. */
const settingsIn = ({ json }: ApiResponse): unknown[] | undefined =>
	isRecord(json)
		? Object.entries(json).flatMap(([id, value]) =>
				toInteger(id) === undefined || !isRecord(value) ? [] : [{ feed_id: toInteger(id), ...value }],
			)
		: undefined;

export const notification = resource(
	'Notification',
	{ description: 'Which feeds the service notifies you of, and how' },
	{
		getAll: operation('GET /notifications/', {
			action: 'Get many notification settings',
			description: 'List the feeds that the service notifies you of',
			isExtra: true,
			paging: singlePage(settingsIn, 'settings'),
			output: selected(setting),
		}),
		set: operation('POST /notifications/feed', {
			action: 'Set the notifications of a feed',
			description: 'Choose how the service notifies you of new stories of a feed',
			idempotent: true,
			isExtra: true,
			body: {
				feed_id: feedId,
				notification_types: severalOf(
					'Notify By',
					{ android: 'Android', email: 'Email', ios: 'iOS', web: 'Browser' },
					{ paramName: 'notifyBy', description: 'How to notify you; none turns notifications off' },
				),
				notification_filter: requiredChoice(
					'Notify Of',
					{ focus: 'Focus Stories', unread: 'All Unread Stories' },
					{ paramName: 'notifyOf', default: 'unread', description: 'Which new stories to notify of' },
				),
			},
			output: selected(setting),
			present: async ({ body }, response, api) => await api.results([body], response),
		}),
	},
);
