import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../runtime/api-types';
import { omit, toText } from '../../runtime/values';
import { presentStory, readInChunks, readStories, type StoryValues } from '../model/hashes';
import type { Selection } from '../model/records';

/** For each story, the function that makes its item, from its hash and the members that the trigger added; undefined if it is gone. */
export async function storyItemMakers(
	kept: Array<Record<string, unknown>>,
	values: StoryValues,
	api: Api,
	simplify?: Selection['map'],
): Promise<Array<(() => Promise<IDataObject>) | undefined>> {
	const hashes = kept.map(({ hash }) => toText(hash));
	const read = await readInChunks(hashes, async (chunk) => await readStories(api, chunk));
	return read.map((found, index) => {
		if (!found) return undefined;
		return async () => {
			const story = await presentStory(found.story, found.response, values, api, simplify);
			return { ...story, ...omit(kept[index]!, 'hash') } as IDataObject;
		};
	});
}
