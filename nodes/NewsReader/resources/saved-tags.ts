import type { Api } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { text } from '../../runtime/fields/kinds';
import { aText, record } from '../../runtime/table/record';
import { operation, listedRecord } from '../../runtime/table/operation';
import { asRecord, quoted } from '../../runtime/values';
import { bringsSecrets } from '../fields/formats';
import { savedTag } from '../fields/locators';
import { onNewerServers } from '../model/newer-servers';
import { subscriptionsOf, tagsIn } from '../model/subscriptions';
import { success } from '../outputs';

/** The most characters of a tag; longer ones make the service fail with 500 (seen in the wild). */
export const LONGEST_TAG = 128;

const existingTag = required(savedTag);

const renameTag = operation('POST /reader/rename_starred_tag', {
	action: 'Rename a tag of saved stories',
	description: 'Rename a tag, or merge it with another one (newer servers)',
	...bringsSecrets,
	body: {
		old_tag_name: existingTag,
		new_tag_name: required(
			text('New Name', {
				example: 'tools',
				description: 'The new name of the tag, at most 128 characters',
			}),
		),
	},
	output: listedRecord(record({ tag: aText.described('The tag') })),
	run: async ({ body }, api, parts) => {
		const { new_tag_name: name } = body;
		if ([...name].length > LONGEST_TAG) {
			throw api.parameterError('New Name', `has more than ${LONGEST_TAG} characters`);
		}
		const known = await knownTags(api);
		refuseUnknown(body.old_tag_name, known, api);
		const response = await api.ask(api.row, parts);
		known.tags = tagsIn(asRecord(response.json).starred_counts)?.map(({ tag }) => tag);
		// The service merges a tag with one that differs in capitals.
		const tag =
			known.tags?.find((other) => other === name) ??
			known.tags?.find((other) => other.toLowerCase() === name.toLowerCase());
		if (tag === undefined) throw api.apiError(`The service did not rename the tag ${body.old_tag_name}`, '');
		return await api.results([{ tag }], response);
	},
});

function refuseUnknown(tag: string, { tags }: { tags: string[] | undefined }, api: Api): void {
	if (tags?.includes(tag) !== false) return;
	throw api.parameterError(
		'Tag',
		`${quoted(tag)} does not exist: no saved story has it`,
		'Tags are case-sensitive. Choose one from the list.',
	);
}

/**
 * The tags in the last response of this run. They are checked because the service reports success for an unknown tag,
 * too.
 */
const knownTags = async (api: Api): Promise<{ tags: string[] | undefined }> =>
	await api.once('saved tags', async () => ({ tags: (await subscriptionsOf(api)).savedTags }));

export const renameSavedTag = onNewerServers(renameTag);

export const deleteSavedTag = onNewerServers(
	operation('POST /reader/delete_starred_tag', {
		action: 'Delete a tag of saved stories for good',
		description: 'Remove a tag from all saved stories, which stay saved (newer servers)',
		...bringsSecrets,
		body: { tag_name: existingTag },
		prepare: async ({ body }, api) => {
			const known = await knownTags(api);
			refuseUnknown(body.tag_name, known, api);
			known.tags = known.tags?.filter((tag) => tag !== body.tag_name);
			return {};
		},
		output: success,
	}),
);
