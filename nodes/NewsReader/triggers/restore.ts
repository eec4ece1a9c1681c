import type { IDataObject } from 'n8n-workflow';
import type { Source } from '../../runtime/poll/watch';
import type { Answer } from '../../runtime/transport/http';
import { isRecord } from '../../runtime/values';
import { rowOf } from '../../runtime/poll/rows';
import { membersOf } from '../model/answers';
import { HASHES_PER_REQUEST } from '../model/hashes';
import { story as storyResource } from '../resources/story';

type Kept = Record<string, unknown>;

/** The stories of what was kept of them (`hash`), in their order; undefined for those that are gone. */
export async function restoreStories(
	kept: Kept[],
	source: Source,
	present: (story: IDataObject, answer: Answer, kept: Kept) => IDataObject,
): Promise<Array<IDataObject | undefined>> {
	const restored: Array<IDataObject | undefined> = [];
	for (let next = 0; next < kept.length; next += HASHES_PER_REQUEST) {
		const chunk = kept.slice(next, next + HASHES_PER_REQUEST);
		const answer = await source.ask(rowOf(storyResource, 'getByHash'), {
			query: { h: chunk.map(({ hash }) => hash) },
		});
		const list = isRecord(answer.json) ? (membersOf(answer.json.stories) ?? []).filter(isRecord) : [];
		for (const entry of chunk) {
			const story = list.find(({ story_hash: hash }) => hash === entry.hash);
			restored.push(story && present(story as IDataObject, answer, entry));
		}
	}
	return restored;
}
