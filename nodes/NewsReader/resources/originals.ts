import { aText, anInteger, record } from '../../runtime/table/record';
import { operation, type Operation } from '../../runtime/table/operation';
import { storyHash } from './locators';
import { dataOf, each } from './shared';
import { pageContent, pageFormat } from './stories';

/** The web page that a story comes from. */
export const getOriginalPage: Operation = operation('GET /rss_feeds/original_story', {
	name: 'Get Original Page',
	action: 'Get the original page of a story',
	description: 'Get the web page that a story comes from',
	query: { story_hash: storyHash },
	form: { pageFormat },
	prepare: () => ({ accepts: 'page' }),
	output: each(record({ story_hash: aText, content: aText })),
	run: async ({ query, form }, tools, parts) => {
		const answer = await tools.ask(getOriginalPage, parts);
		const content = pageContent(answer.text, form);
		return tools.results([{ story_hash: query.story_hash, content }], answer);
	},
});

/** The text of that page, which the service extracts. */
export const getOriginalText: Operation = operation('GET /rss_feeds/original_text', {
	name: 'Get Original Text',
	action: 'Get the original text of a story',
	description: 'Get the full text of a story, extracted from its web page',
	query: { story_hash: storyHash },
	form: { pageFormat },
	output: each(record({ story_hash: aText, feed_id: anInteger, content: aText })),
	run: async ({ query, form }, tools, parts) => {
		const answer = await tools.ask(getOriginalText, parts);
		const { original_text: text, failed, ...others } = dataOf(answer) ?? {};
		if (failed === true || typeof text !== 'string' || text === '') {
			throw tools.failure(
				`The service could not extract the text of ${query.story_hash}`,
				'The page may be gone or refuse the service. Get Original Page may still work.',
			);
		}
		const content = pageContent(text, form);
		return tools.results([{ story_hash: query.story_hash, ...others, content }], answer);
	},
});
