import { required } from '../../runtime/fields/field';
import { choice, text } from '../../runtime/fields/kinds';
import { anInteger, aText, record, aPastMoment } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { pixelId } from '../fields';
import { listedRecord } from '../../runtime/table/outputs';
import { deleted, pages, updated, written } from '../outputs';
import { toText } from '../../runtime/values';

const pixelRecord = record({ id: anInteger, type: aText, name: aText, tag: aText, date: aPastMoment });

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
	{ parameter: 'pixelType', default: 'gtmpixel', description: 'Whose tracking tag it is' },
);
const name = text('Name', {
	example: 'Shop visitors',
	description: 'What the tracking tag is called in your account',
});
const tag = required(
	text('Tag', { example: 'GTM-ABC123', description: 'The identifier that the tracking provider gave' }),
);

export const pixel = resource(
	'Pixel',
	{
		description: 'Tracking tags of short links',
		listing: { list: 'getAll', label: (entry) => `${toText(entry.name)} (${toText(entry.type)})` },
	},
	{
		create: operation('POST /api/pixel/add', {
			name: 'Create',
			action: 'Create a pixel',
			description: 'Add a tracking tag, which short links can then carry',
			body: { type: required(pixelType), name: required(name), tag },
			existing: {
				sameness: 'with the same type and tag',
				wanted: (body) => `${toText(body.type)} ${toText(body.tag).trim()}`,
				present: (entry) => `${toText(entry.type)} ${toText(entry.tag).trim()}`,
			},
			output: written(pixelRecord),
		}),
		delete: operation('DELETE /api/pixel/{id}/delete', {
			name: 'Delete',
			action: 'Delete a pixel for good',
			description: 'Delete a tracking tag; the links stay',
			path: { id: pixelId },
			output: deleted,
		}),
		getAll: operation('GET /api/pixels', {
			name: 'Get Many',
			action: 'Get many pixels',
			description: 'List the tracking tags',
			paging: pages('pixels'),
			output: listedRecord(pixelRecord),
		}),
		update: operation('PUT /api/pixel/{id}/update', {
			name: 'Update',
			action: 'Update a pixel',
			description:
				'Change a tracking tag’s identifier or name; the service asks for the identifier each time',
			idempotent: true,
			path: { id: pixelId },
			body: { tag, name },
			output: updated(pixelRecord),
		}),
	},
);
