import { required } from '../../runtime/fields/field';
import { choice, text, requiredText } from '../../runtime/fields/kinds';
import { anInteger, aText, record, aMoment } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { pixelId } from '../fields';
import { created, deleted, pages, updated, written } from '../outputs';
import { toText } from '../../runtime/values';

const pixelRecord = record({
	id: anInteger.described('ID of the pixel'),
	name: aText.described('Name of the pixel'),
	type: aText.described('Provider of the pixel'),
	tag: aText.described('Identifier that the provider gave'),
	date: aMoment.described('When the pixel was created'),
});

const pixelType = choice(
	'Pixel Type',
	{
		adrollpixel: 'AdRoll',
		adwordspixel: 'Google Ads',
		bing: 'Bing',
		fbpixel: 'Facebook',
		gapixel: 'Google Analytics',
		gtmpixel: 'Google Tag Manager',
		linkedinpixel: 'LinkedIn',
		pinterest: 'Pinterest',
		quorapixel: 'Quora',
		reddit: 'Reddit',
		snapchat: 'Snapchat',
		tiktok: 'TikTok',
		twitterpixel: 'Twitter',
	},
	{ paramName: 'pixelType', default: 'gtmpixel', description: 'The provider of the tracking tag' },
);
const pixelName = text('Name', {
	example: 'Shop visitors',
	description: 'The name of the tracking tag in your account',
});
const tag = requiredText('Tag', {
	example: 'GTM-ABC123',
	description: 'The identifier that the tracking provider gave',
});

const pixelKey = ({ type, tag: identifier }: Record<string, unknown>): string =>
	`${toText(type)} ${toText(identifier).trim()}`;

export const pixel = resource(
	'Pixel',
	{
		description: 'Tracking tags of short links',
		listing: { list: 'getAll', label: (entry) => `${toText(entry.name)} (${toText(entry.type)})` },
	},
	{
		create: operation('POST /api/pixel/add', {
			description: 'Add a tracking tag for short links',
			body: { type: required(pixelType), name: required(pixelName), tag },
			existing: {
				matchedBy: 'with the same type and tag',
				keysOf: (entry) => [pixelKey(entry)],
				lookUps: (body) => [{ key: pixelKey(body) }],
			},
			output: created(written(pixelRecord)),
		}),
		delete: operation('DELETE /api/pixel/{id}/delete', {
			description: 'Delete a tracking tag; the links stay',
			path: { id: pixelId },
			output: deleted,
		}),
		getAll: operation('GET /api/pixels', {
			description: 'List the tracking tags',
			paging: pages('pixels'),
			output: listedRecord(pixelRecord),
		}),
		update: operation('PUT /api/pixel/{id}/update', {
			description: 'Change the tag or name of a pixel; the service always requires the tag',
			idempotent: true,
			path: { id: pixelId },
			body: { tag, name: pixelName },
			output: updated(pixelRecord),
		}),
	},
);
