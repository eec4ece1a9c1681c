import type { Api, RequestParts } from '../../runtime/api-types';
import { dateTime } from '../../runtime/fields/dates';
import type { Values } from '../../runtime/fields/field';
import { choice, fixedCollection, json, text, requiredText } from '../../runtime/fields/kinds';
import { locator } from '../../runtime/fields/locator';
import { isRecord } from '../../runtime/values';
import { campaignPicker, channelPicker, overlayPicker, pixelIds, splashPicker, targeting } from '../fields';
import { withScheme } from '../../runtime/addresses';

/** The service does not show which parameters a link has, and replaces them as a whole: also with Update Existing. */
const REPLACES_PARAMETERS = '; replaces all parameters and UTM tags';

export const linkFields = {
	campaign: campaignPicker,
	channel: channelPicker,
	custom: text('Alias', {
		example: 'spring',
		description: 'The last part of the short URL, 3 to 49 characters',
	}),
	...targeting,
	deeplink: json('Deep Link (JSON)', {
		description: 'Addresses that open an app instead of the target, in the service’s format',
		accepts: isRecord,
		expected: 'an object',
	}),
	description: text('Description', {
		example: 'Shown in your list',
		description: 'A note on the link, shown in your own list',
	}),
	domain: locator<string>('Domain', {
		resource: 'domainName',
		id: withScheme,
		idName: 'Name',
		idExample: 'https://go.example.com',
		description: 'The branded domain of the short URL',
	}),
	expiry: dateTime('Expiry', { description: 'When the link stops working; must be in the future' }),
	metadescription: text('Meta Description', {
		example: 'What a shared link says',
		description: 'The text below the title of a shared link',
	}),
	metaimage: text('Meta Image', {
		example: 'https://example.com/card.png',
		description: 'URL of the image that a shared link shows',
	}),
	metatitle: text('Meta Title', {
		example: 'Our spring offer',
		description: 'The title that a shared link shows',
	}),
	parameters: fixedCollection(
		'Parameters',
		'Parameter',
		{
			name: requiredText('Name', { example: 'ref', description: 'Name of the query parameter' }),
			value: text('Value', { example: 'newsletter', description: 'Value of the query parameter' }),
		},
		{
			description: `Query parameters added to the target; those without a value are left out${REPLACES_PARAMETERS}`,
		},
	),
	password: text('Password', { secret: true, description: 'Visitors must enter this password' }),
	pixels: { ...pixelIds, paramName: 'pixelIds' },
	status: choice(
		'Status',
		{ private: 'Private', public: 'Public' },
		{ default: 'public', description: 'Whether the link is shown in public lists of the service' },
	),
	type: choice(
		'Redirect Type',
		{
			direct: { name: 'Direct', description: 'Straight to the target' },
			frame: { name: 'Frame', description: 'The target is shown in a frame under the short URL' },
			splash: { name: 'Splash', description: 'A page of the service is shown before the target' },
		},
		{ paramName: 'redirectType', description: 'How visitors reach the target' },
	),
};

const utmField = (label: string, example: string, description: string) =>
	text(label, { example, description: `${description}${REPLACES_PARAMETERS}` });
const utm = {
	utmCampaign: utmField('UTM Campaign', 'spring', 'The promotion, such as spring_sale'),
	utmContent: utmField('UTM Content', 'header', 'Distinguishes links to the same target'),
	utmMedium: utmField('UTM Medium', 'email', 'The kind of channel, such as email or social'),
	utmSource: utmField('UTM Source', 'newsletter', 'The source of the visit, such as newsletter'),
	utmTerm: utmField('UTM Term', 'shoes', 'The paid search keyword'),
};

/** Parameters that are sent as part of another field, or that the interface document does not have. */
export const extras = {
	...utm,
	ctaOverlay: overlayPicker,
	customSplash: splashPicker,
	otherFields: json('Other Fields (JSON)', {
		description: 'Other fields that your host supports, as an object',
		accepts: isRecord,
		expected: 'an object',
	}),
};

type Extras = Partial<Values<typeof extras>>;

type LinkBody = Record<string, unknown> & { parameters?: Array<{ value?: string }>; type?: string };

/** UTM tags as URL parameters: `utmSource` becomes `utm_source`. */
const utmParameters = (params: Extras): Array<{ name: string; value?: string | undefined }> =>
	Object.keys(utm).map((name) => ({
		name: name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
		value: params[name as keyof typeof utm],
	}));

const withValues = (parameters: Array<{ value?: string | undefined }>): object[] =>
	parameters.filter(({ value }) => value !== undefined);

/** The field `type` with its label: a redirect type, a splash page's id, or `overlay-` with an id. Throws if two are set. */
function redirectOf(
	{ type }: LinkBody,
	{ customSplash, ctaOverlay }: Extras,
	api: Api,
): { label: string; type: string } | undefined {
	const [redirect, other] = [
		...(type ? [{ label: linkFields.type.label, type }] : []),
		...(customSplash !== undefined ? [{ label: splashPicker.label, type: String(customSplash) }] : []),
		...(ctaOverlay !== undefined ? [{ label: overlayPicker.label, type: `overlay-${ctaOverlay}` }] : []),
	];
	if (redirect && other) {
		throw api.parameterError(redirect.label, `cannot be set beside ${other.label}`, 'Choose one of them');
	}
	return redirect;
}

/** The body as the service expects it: UTM tags as parameters, overlays and splash pages as types. */
export function linkBody(
	{ body, params }: { body: LinkBody; params: Extras },
	api: Api,
): Pick<RequestParts, 'body' | 'labels'> {
	const { parameters: own = [], ...others } = body;
	const { parameters: more, ...otherFields } = params.otherFields ?? {};
	if (more !== undefined && !Array.isArray(more)) {
		throw api.parameterError('Other Fields (JSON)', 'has parameters that are not a list', 'Correct it');
	}
	const redirect = redirectOf(body, params, api);
	const sources: Array<[label: string, list: object[]]> = [
		[linkFields.parameters.label, withValues(own)],
		['UTM fields', withValues(utmParameters(params))],
		[extras.otherFields.label, (more ?? []) as object[]],
	];
	const used = sources.filter(([, list]) => list.length > 0);
	return {
		body: {
			...others,
			// An empty list in Other Fields removes all.
			...((more !== undefined || used.length > 0) && { parameters: used.flatMap(([, list]) => list) }),
			...(redirect && { type: redirect.type }),
			...otherFields,
		},
		labels: {
			...(used.length > 0 && { parameters: used.map(([label]) => label).join(' and ') }),
			...(redirect && { type: redirect.label }),
			...Object.fromEntries(Object.keys(otherFields).map((name) => [name, extras.otherFields.label])),
		},
	};
}
