import { operation } from '../../runtime/table/operation';
import { storyHashes } from './locators';
import { storyForm } from './stories';
import { byHash, storyOutputByHash } from './storyAnswers';

/** Stories by hash, a hundred in one request. */
export const storiesByHash = operation('GET /reader/river_stories', {
	name: 'Get by Hash',
	action: 'Get stories by hash',
	description: 'Get stories by their hashes, up to a hundred in one request; missing ones are reported',
	query: { h: storyHashes() },
	form: storyForm,
	batch: byHash,
	output: storyOutputByHash,
});
