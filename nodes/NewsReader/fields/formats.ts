import { htmlToText } from '../../../vendor/html';
import { shownIf } from '../../runtime/fields/compound';
import { internal, prominent } from '../../runtime/fields/field';
import { choice, flag } from '../../runtime/fields/kinds';
import { record, type RecordKind } from '../../runtime/table/record';
import type { Parts } from '../../runtime/table/operation';
import { simplifySetting } from '../../runtime/table/settings';

/** In which form stories bring their content. */
export const storyContent = prominent(
	choice(
		'Content',
		{ html: 'HTML', none: 'None', text: 'Plain Text' },
		{
			parameter: 'storyContent',
			default: 'html',
			description: 'In which form a story brings its text, if at all',
		},
	),
);
export const SIMPLIFIED = { simplify: [true] };

/** What a simplified story holds beside its facts; parameters of every operation that puts out stories. */
export const storyForm = {
	content: shownIf(SIMPLIFIED, storyContent),
	source: shownIf(
		SIMPLIFIED,
		prominent(
			flag('Name the Source', 'each story names the service as its source, as its terms ask', {
				parameter: 'includeSource',
				default: true,
			}),
		),
	),
};

/** The same with the choice that operations have of themselves: parameters of every event that hands over stories. */
export const storyFields = { ...storyForm, simplify: prominent(simplifySetting) };

/** What an event hands over: these members unless the service's own record is wanted. */
export const unlessRaw =
	(members: RecordKind['members']) =>
	({ simplify }: { simplify?: boolean }): RecordKind | undefined =>
		simplify === false ? undefined : record(members);

/** How a web page is handed on. */
export const pageFormat = prominent(
	choice(
		'Page Format',
		{ html: 'HTML', text: 'Plain Text' },
		{ parameter: 'pageFormat', default: 'html', description: 'The page as it is, or only its words' },
	),
);

/** Whether a page may come from where the service leads to. */
export const otherHosts = prominent(
	flag(
		'Pages of Other Hosts',
		'to follow the service to a page at another host, as far as the credential’s allowed domains go',
		{ parameter: 'otherHosts' },
	),
);

/** Lets the answer be a page. */
export const acceptsPage = (form: { otherHosts?: boolean }): Pick<Parts, 'accepts'> => ({
	accepts: form.otherHosts ? 'foreignPage' : 'page',
});

/** A web page as the user wants it. */
export const pageContent = (html: string, form: { pageFormat?: string }): string =>
	form.pageFormat === 'text' ? htmlToText(html) : html;

/** How the icon of a feed is handed on. */
export const faviconFormat = prominent(
	choice(
		'Favicon Format',
		{ file: 'Binary File', uri: 'Data URI' },
		{
			parameter: 'faviconFormat',
			default: 'uri',
			description: 'As text for a web page (data URI), or as a file in the binary field data',
		},
	),
);

/** In which form the social calls answer. */
export const answerFormat = internal(
	choice(
		'Answer Format',
		{ html: 'HTML', json: 'JSON' },
		{
			parameter: 'answerFormat',
			default: 'json',
			description: 'Whether the service answers with data or with a piece of a web page',
		},
	),
);

/** For operations whose answers, raw or not, may bring what reads the account without a password. */
export const bringsSecrets = { offers: ['includeSecrets'] };

/** Lets an answer be HTML where the user asked for it. */
export const acceptsHtml = ({ query, body }: Pick<Parts, 'query' | 'body'>): Partial<Parts> =>
	query.format === 'html' || body.format === 'html' ? { accepts: 'anything' } : {};
