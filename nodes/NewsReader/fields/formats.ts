import { htmlToText } from '../../../vendor/html';
import { shownIf } from '../../runtime/fields/compound';
import { advanced, alwaysShown } from '../../runtime/fields/field';
import { choice, flag } from '../../runtime/fields/kinds';
import { record, type RecordSchema } from '../../runtime/table/record';
import type { RequestParts } from '../../runtime/table/operation';
import { simplifySetting } from '../../runtime/table/settings';

/** In which form stories bring their content. */
export const storyContent = alwaysShown(
	choice(
		'Content',
		{ html: 'HTML', none: 'None', text: 'Plain Text' },
		{
			paramName: 'storyContent',
			default: 'html',
			description: 'The format of the story’s text, if included',
		},
	),
);
export const SIMPLIFIED = { simplify: [true] };

/** What a simplified story holds beside its facts; parameters of every operation that puts out stories. */
export const storyForm = {
	content: shownIf(SIMPLIFIED, storyContent),
	source: shownIf(
		SIMPLIFIED,
		alwaysShown(
			flag('Include Source', 'to add the service’s host name to each story, as its terms require', {
				paramName: 'includeSource',
				default: true,
			}),
		),
	),
};

/** The same with the choice that operations have of themselves: parameters of every event that hands over stories. */
export const storyFields = { ...storyForm, simplify: alwaysShown(simplifySetting) };

/** What an event hands over: these members unless the service's own record is wanted. */
export const unlessRaw =
	(members: RecordSchema['members']) =>
	({ simplify }: { simplify?: boolean }): RecordSchema | undefined =>
		simplify === false ? undefined : record(members);

/** How a web page is handed on. */
export const pageFormat = alwaysShown(
	choice(
		'Page Format',
		{ html: 'HTML', text: 'Plain Text' },
		{ paramName: 'pageFormat', default: 'html', description: 'The page as HTML, or only its text' },
	),
);

/** Whether a page may come from where the service leads to. */
export const otherHosts = alwaysShown(
	flag(
		'Pages of Other Hosts',
		'to follow redirects of the service to pages of other hosts, if the credential’s allowed domains include them',
		{ paramName: 'otherHosts' },
	),
);

/** Lets the answer be a page. */
export const acceptsPage = (params: { otherHosts?: boolean }): Pick<RequestParts, 'accepts'> => ({
	accepts: params.otherHosts ? 'foreignPage' : 'page',
});

/** A web page as the user wants it. */
export const pageContent = (html: string, params: { pageFormat?: string }): string =>
	params.pageFormat === 'text' ? htmlToText(html) : html;

/** How the icon of a feed is handed on. */
export const faviconFormat = alwaysShown(
	choice(
		'Favicon Format',
		{ file: 'Binary File', uri: 'Data URI' },
		{
			paramName: 'faviconFormat',
			default: 'uri',
			description: 'A data URI for a web page, or a file in the binary field data',
		},
	),
);

/** In which form the social calls answer. */
export const answerFormat = advanced(
	choice(
		'Response Format',
		{ html: 'HTML', json: 'JSON' },
		{
			paramName: 'answerFormat',
			default: 'json',
			description: 'Whether the service responds with JSON or an HTML fragment',
		},
	),
);

/** For operations whose answers, raw or not, may bring what reads the account without a password. */
export const bringsSecrets = { options: ['includeSecrets'] };

/** Lets an answer be HTML where the user asked for it. */
export const acceptsHtml = ({ query, body }: Pick<RequestParts, 'query' | 'body'>): Partial<RequestParts> =>
	query.format === 'html' || body.format === 'html' ? { accepts: 'anything' } : {};
