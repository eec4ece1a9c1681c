import type { RequestParts } from '../../runtime/api-types';
import { htmlToText } from '../../../vendor/html';
import { shownIf } from '../../runtime/fields/compound';
import { advanced, alwaysShown } from '../../runtime/fields/field';
import { choice, flag, severalOf } from '../../runtime/fields/kinds';
import { record, type RecordSchema } from '../../runtime/table/record';
import { simplifySetting } from '../../runtime/table/settings';

const SIMPLIFIED = { simplify: [true] };

/** Parameters of every operation that returns stories. */
export const storyParams = {
	content: shownIf(
		SIMPLIFIED,
		choice(
			'Content',
			{ html: 'HTML', none: 'None', text: 'Plain Text' },
			{
				paramName: 'storyContent',
				alwaysShown: true,
				default: 'html',
				description: 'The format of the story’s text, if included',
			},
		),
	),
	source: shownIf(
		SIMPLIFIED,
		flag('Include Source', 'to add the service’s host name to each story, as its terms require', {
			paramName: 'includeSource',
			alwaysShown: true,
			default: true,
		}),
	),
};

/** Operations have Simplify without declaring it; events declare it. */
export const storyFields = { ...storyParams, simplify: alwaysShown(simplifySetting) };

export const unlessRaw =
	(members: RecordSchema['members']) =>
	({ simplify }: { simplify?: boolean }): RecordSchema | undefined =>
		simplify === false ? undefined : record(members);

export const pageFormat = choice(
	'Page Format',
	{ html: 'HTML', text: 'Plain Text' },
	{ alwaysShown: true, default: 'html', description: 'The page as HTML, or only its text' },
);

export const otherHosts = flag(
	'Pages of Other Hosts',
	'to follow redirects of the service to pages of other hosts, if the credential’s allowed domains include them',
	{ alwaysShown: true },
);

export const acceptsPage = ({ params }: { params: { otherHosts?: boolean } }): Partial<RequestParts> =>
	params.otherHosts
		? {
				accepts: 'foreignPage',
				redirectAdvice:
					'If the page is at another host, the credential is not allowed for it: see its Allowed HTTP Request Domains.',
			}
		: {
				accepts: 'anything',
				redirectAdvice: 'If the page is at another host, turn on Pages of Other Hosts to get it from there.',
			};

export const pageContent = (html: string, params: { pageFormat?: string }): string =>
	params.pageFormat === 'text' ? htmlToText(html) : html;

export const responseFormat = advanced(
	choice(
		'Response Format',
		{ html: 'HTML', json: 'JSON' },
		{
			paramName: 'answerFormat',
			default: 'json',
			description: 'JSON, or HTML: of a list, one fragment for each page, which Limit counts',
		},
	),
);

/** Secrets give access to the account without a password: masked unless the user includes them. */
export const bringsSecrets = {
	params: {
		includeSecrets: advanced(
			severalOf(
				'Include Secrets',
				{ feed_address: 'Private RSS Addresses', share_ext_token: 'Share Token' },
				{ description: 'Secrets to show unmasked; anyone who has them can log in to your account' },
			),
		),
	},
};

export const acceptsHtml = ({ query, body }: Pick<RequestParts, 'query' | 'body'>): Partial<RequestParts> =>
	query.format === 'html' || body.format === 'html' ? { accepts: 'anything' } : {};
