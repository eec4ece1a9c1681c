import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { toText } from '../../runtime/values';
import { presentStory, readInChunks, readStories, type StoryValues } from '../model/hashes';
import type { Selection } from '../model/records';

/** What a trigger saves of a story to emit it again: its hash, and members that it added to the item. */
export type KeptStory = Record<string, unknown>;

/** Makes the items of kept stories, in their order; undefined for stories that are gone. */
export async function restoreStories(
	kept: KeptStory[],
	values: StoryValues,
	api: Api,
	simplify?: Selection['map'],
): Promise<Array<(() => Promise<IDataObject>) | undefined>> {
	const hashes = kept.map(({ hash }) => toText(hash));
	const read = await readInChunks(hashes, async (chunk) => await readStories(api, chunk));
	return read.map((found, index) => {
		const { hash: _, ...added } = kept[index]!;
		return (
			found &&
			(async () =>
				({
					...(await presentStory(found.story, found.response, values, api, simplify)),
					...added,
				}) as IDataObject)
		);
	});
}
