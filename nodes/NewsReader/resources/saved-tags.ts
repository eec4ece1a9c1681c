import type { Api } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { aText, record } from '../../runtime/table/record';
import { operation, listedRecord } from '../../runtime/table/operation';
import { isRecord, quoted } from '../../runtime/values';
import { bringsSecrets } from '../fields/formats';
import { savedTag } from '../fields/locators';
import { onNewerServers } from '../model/newer-servers';
import { subscriptionsOf, tagsIn } from '../model/subscriptions';
import { success } from '../outputs';

const LONGEST_TAG = 128;

const existingTag = required(savedTag);

const renameTag = operation('POST /reader/rename_starred_tag', {
	name: 'Rename Tag',
	action: 'Rename a tag of saved stories',
	description: 'Rename a tag, or merge it with another one (newer servers)',
	...bringsSecrets,
	body: {
		old_tag_name: existingTag,
		new_tag_name: required(
			text('New Name', {
				paramName: 'newTagName',
				example: 'tools',
				description: 'The new name of the tag, at most 128 characters',
			}),
		),
	},
	output: listedRecord(record({ tag: aText.described('The tag') })),
	run: async ({ body }, api, parts) => {
		const { new_tag_name: name } = body;
		if (name.length > LONGEST_TAG) {
			throw api.parameterError('New Name', `has more than ${LONGEST_TAG} characters`);
		}
		const known = await knownTags(api);
		if (known.tags?.includes(body.old_tag_name) === false) {
			const advice = 'Tags are case-sensitive. Choose one from the list.';
			throw api.parameterError(
				'Tag',
				`${quoted(body.old_tag_name)} does not exist: no saved story has it`,
				advice,
			);
		}
		const response = await api.ask(api.row, parts);
		known.tags = isRecord(response.json) ? tagsIn(response.json.starred_counts) : undefined;
		if (known.tags?.some((tag) => tag.toLowerCase() === name.toLowerCase()) !== true)
			throw api.apiError(`The service did not rename the tag ${body.old_tag_name}`, '');
		return await api.results([{ tag: name }], response);
	},
});

/**
 * The tags in the last response of this run. They are checked because the service reports success for an unknown tag,
 * too.
 */
const knownTags = async (api: Api): Promise<{ tags: string[] | undefined }> =>
	await api.once('saved tags', async () => ({ tags: (await subscriptionsOf(api)).savedTags }));

export const renameSavedTag = onNewerServers(renameTag);

export const deleteSavedTag = onNewerServers(
	operation('POST /reader/delete_starred_tag', {
		name: 'Delete Tag',
		action: 'Delete a tag of saved stories for good',
		description: 'Remove a tag from all saved stories, which stay saved (newer servers)',
		...bringsSecrets,
		idempotent: true,
		body: { tag_name: existingTag },
		output: success,
	}),
);
