import { required } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { aText, record } from '../../runtime/table/record';
import { operation, type Operation, listedRecord } from '../../runtime/table/operation';
import { isRecord } from '../../runtime/values';
import { bringsSecrets } from '../fields/formats';
import { savedTag } from '../fields/locators';
import { membersUnder } from '../model/answers';
import { askNewerServer, onNewerServers } from '../model/newer-servers';
import { success } from '../outputs';

const existingTag = required({ ...savedTag, label: 'Tag' });

const renameTag: Operation = operation('POST /reader/rename_starred_tag', {
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
	output: listedRecord(record({ tag: aText })),
	run: async ({ body }, api, parts) => {
		const { new_tag_name: name } = body;
		if (name.length > LONGEST_TAG) {
			throw api.parameterError('New Name', `has more than ${LONGEST_TAG} characters`);
		}
		const response = await askNewerServer(renameTag, api, parts);
		const tags = (membersUnder('starred_counts', response) ?? []).filter(isRecord).map(({ tag }) => tag);
		if (!tags.some((tag) => String(tag).toLowerCase() === name.toLowerCase())) {
			throw api.apiError(
				`No saved story has the tag ${body.old_tag_name}`,
				'Tags are case-sensitive. Choose one from the list.',
			);
		}
		return await api.results([{ tag: name }], response);
	},
});

const LONGEST_TAG = 128;

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
