import type { IDataObject } from 'n8n-workflow';
import { prominent } from '../../runtime/fields/field';
import { flag } from '../../runtime/fields/kinds';
import type { Api } from '../../runtime/transport/api';
import type { Answer } from '../../runtime/transport/http';
import { storyForm } from '../fields/formats';
import { HASHES_PER_REQUEST, readStories, withoutFalseUnread } from '../model/hashes';
import { simplifyStoryOfFeed } from '../model/stories';

const simplify = prominent(
	flag('Simplify', 'to return a simplified version of the response instead of the raw data', {
		default: true,
	}),
);

/** How stories come out: parameters of every event that hands over stories. */
export const storyFields = { ...storyForm, simplify };

export interface StoryValues {
	content?: string;
	source?: boolean;
	simplify?: boolean;
}

type Simplify = (story: IDataObject, answer: Answer, form: Record<string, unknown>) => IDataObject;

/** A story as the user wants it. */
export function presentStory(
	story: IDataObject,
	answer: Answer,
	values: StoryValues,
	simplifyIt: Simplify = simplifyStoryOfFeed,
): IDataObject {
	if (values.simplify !== false) return withoutFalseUnread(simplifyIt(story, answer, { ...values }));
	const { story_content: content, ...rest } = story;
	const isLeftOut = values.content === 'none' || content === undefined;
	return isLeftOut ? rest : { ...rest, story_content: content };
}

/** What of a story is kept for handing it over again: its hash, and what its item has beside the story. */
export type KeptStory = Record<string, unknown>;

/** The items of kept stories, in their order; undefined for those that are gone. */
export async function restoreStories(
	kept: KeptStory[],
	values: StoryValues,
	api: Api,
	simplifyIt?: Simplify,
): Promise<Array<IDataObject | undefined>> {
	const restored: Array<IDataObject | undefined> = [];
	for (let next = 0; next < kept.length; next += HASHES_PER_REQUEST) {
		const chunk = kept.slice(next, next + HASHES_PER_REQUEST);
		const { stories, answer } = await readStories(
			api,
			chunk.map(({ hash }) => String(hash)),
		);
		for (const { hash, ...beside } of chunk) {
			const story = stories.get(String(hash));
			restored.push(
				story && ({ ...presentStory(story, answer, values, simplifyIt), ...beside } as IDataObject),
			);
		}
	}
	return restored;
}
