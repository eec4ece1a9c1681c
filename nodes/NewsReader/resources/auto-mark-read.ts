import { dependent } from '../../runtime/fields/compound';
import { integer, requiredChoice } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, aText, mapOf, record, type ValueSchema } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { asRecord, isRecord } from '../../runtime/values';
import { feedId, folderPath } from '../fields/locators';
import { withoutEnvelope } from '../model/responses';
import { inOurNames } from '../model/records';
import { feedsOfChoice, onNewerServers, flatFolderOf } from '../model/subscriptions';
import { leaveCounted } from '../model/unread-counts';
import { aConfirmation } from '../outputs';

/** The service returns a record for each folder (seen in the wild), or its days. */
const daysOfFolder: ValueSchema = {
	...anInteger,
	coerce: (setting) => anInteger.coerce(isRecord(setting) ? setting.auto_mark_read_days : setting),
};
const settings = record({
	folder_auto_mark_read: mapOf(daysOfFolder).described('Days by flat folder name, such as Tech - Deep'),
	site_wide_days: anInteger.described('Days that apply to the whole account'),
	is_archive: aBoolean.described('Whether the account has the Archive plan'),
});
const savedSetting = record({
	success: aConfirmation,
	feedId: anInteger.described('ID of the feed, if the setting is for a feed'),
	folder: aText.described('Path of the folder, if the setting is for a folder'),
	days: anInteger.described('Days after which stories are marked as read; 0 uses those of the account'),
	effectiveDays: anInteger.described(
		'Days that the service reports for the feed; null if they are 0, or for a folder',
	),
});

const autoMarkOf = requiredChoice(
	'Where',
	{ feed: 'Feed', folder: 'Folder' },
	{
		paramName: 'autoMarkOf',
		default: 'feed',
		description: 'Whether to set the days of a feed or of a folder',
	},
);

export const autoMarkRead = resource(
	'Auto Mark Read',
	{ description: 'After how many days the service marks stories as read' },
	{
		get: onNewerServers(
			operation('GET /reader/get_auto_mark_read_settings', {
				action: 'Get the auto mark read settings',
				description: 'Get the settings of your folders and your account (newer servers)',
				output: inOurNames({ schema: settings, select: withoutEnvelope }),
			}),
		),
		set: onNewerServers(
			operation('POST /reader/save_folder_auto_mark_read', {
				action: 'Set the auto mark read days',
				description: 'Set after how many days stories are marked as read (Archive plan, newer servers)',
				idempotent: true,
				params: {
					autoMarkOf,
					feedOrFolder: dependent<number | string>(autoMarkOf, { feed: feedId, folder: folderPath }),
					days: integer('Days', {
						paramName: 'autoMarkDays',
						min: 0,
						max: 365,
						default: 14,
						description:
							'0 uses the account’s days, which no setting exceeds; if not set, those of the folder or account apply',
					}),
				},
				output: listedRecord(savedSetting),
				run: async ({ params: { feedOrFolder, days } }, api) => {
					const isFeed = typeof feedOrFolder === 'number';
					const row = isFeed ? { ...api.row, template: '/reader/save_feed_auto_mark_read' } : api.row;
					const folder = isFeed ? undefined : await flatFolderOf(feedOrFolder, api);
					const target = folder ? { folder_title: folder.flatName } : { feed_id: feedOrFolder };
					const response = await api.ask(row, { body: { ...target, auto_mark_read_days: days ?? 'null' } });
					// With more days, older stories are unread again.
					await leaveCounted(api, await feedsOfChoice(isFeed ? [feedOrFolder] : feedOrFolder, api));
					const effectiveDays = asRecord(response.json).effective_days;
					const place = folder ? { folder: folder.path } : { feedId: feedOrFolder };
					return await api.results([{ success: true, ...place, days, effectiveDays }], response);
				},
			}),
		),
	},
);
