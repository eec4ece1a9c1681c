import { z } from 'zod/v4';
import {
	arrayOf,
	filledText,
	id,
	object,
	oneOf,
	optional,
	parseTimestamp,
	text,
	textThat,
	webUrl,
	webUrlOrNone,
} from './fields.ts';
import { definedOnly } from './link-store.ts';

const alias = textThat(
	(value) => /^[\w-]{3,49}$/.test(value),
	'must be 3 to 49 letters, digits, hyphens or underscores',
);
const type = textThat(
	(value) => /^(direct|frame|splash|\d+|overlay-\d+)$/.test(value),
	'must be direct, frame, splash, the id of a custom splash page, or overlay- and the id of an overlay',
);
const expiry = textThat(
	(value) => value === '' || !Number.isNaN(parseTimestamp(value)),
	'must be a date and time as YYYY-MM-DD HH:MM:SS',
);

/** A list of rules `{ <what>: …, link: … }`. */
const rules = <const What extends string>(what: What) =>
	arrayOf(
		object({ [what]: filledText, link: webUrl } as Record<What, typeof filledText> & { link: typeof webUrl }),
		`{ ${what}, link } objects`,
	);

/** The stored settings of a short link. */
const settings = object({
	expiry: optional(expiry),
	type: optional(type),
	geotarget: optional(rules('location')),
	devicetarget: optional(rules('device')),
	languagetarget: optional(rules('language')),
	parameters: optional(arrayOf(object({ name: filledText, value: text }), '{ name, value } objects')),
	metatitle: optional(text),
	metadescription: optional(text),
	metaimage: optional(webUrlOrNone),
	pixels: optional(arrayOf(id, 'ids of pixels')),
	deeplink: optional(z.record(z.string(), z.unknown(), { error: 'must be an object' })),
	status: optional(oneOf(['public', 'private'])),
});

export type ShortLinkSettings = z.infer<typeof settings> & { passwordHash?: string };

const written = settings.extend({
	custom: optional(alias),
	password: optional(text),
	domain: optional(text),
	channel: optional(id),
	campaign: optional(id),
	description: optional(text),
});

/** Bodies of short link create and update (seen on real hosts). */
export const createBody = written.extend({ url: webUrl });
export const updateBody = written.extend({ url: optional(webUrl) });
export type WrittenUrl = z.infer<typeof updateBody>;

/** The part of a body that is stored as settings. Fields that it lacks are left out: an update keeps their values. */
export const settingsIn = (body: WrittenUrl): ShortLinkSettings =>
	definedOnly(settings.parse(body)) as ShortLinkSettings;
