import { required } from '../../runtime/fields/field';
import { flag, text } from '../../runtime/fields/kinds';
import { aBoolean, anInteger, aText, aUrlOrNull, record } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { campaignId, linkId } from '../fields';
import { partsOfShortUrl } from '../model/addresses';
import { confirmed, deleted, existingByName, listedByName, pages, written } from '../outputs';

/** The name is under `name`, `domain` (interface document) or `campaign` (seen in the wild). */
const campaignRecord = record(
	{
		id: anInteger.described('ID of the campaign'),
		name: aText.described('Name of the campaign'),
		list: aText.described('URL of the campaign’s list of links'),
		rotator: aUrlOrNull.described('URL that rotates through the campaign’s links'),
		public: aBoolean.described('Whether anyone may see the campaign’s list of links'),
	},
	{ name: ['domain', 'campaign'] },
);

const campaignName = text('Name', {
	example: 'Spring Launch',
	description: 'The name of the campaign in your account',
});
const campaignFields = {
	slug: text('Slug', {
		example: 'spring',
		description: 'The last part of the campaign’s rotating address',
	}),
	public: flag('Public', 'anyone may see the campaign’s list of links'),
};

/** The slug in a rotator; null if the campaign has none. */
const slugOf = (rotator: unknown) => ({ slug: rotator === null ? null : partsOfShortUrl(rotator).alias });

export const campaign = resource(
	'Campaign',
	{
		description: 'Groups of short links',
		listing: { ...listedByName, url: (entry) => entry.list },
	},
	{
		assignLink: operation('POST /api/campaign/{campaignId}/assign/{linkId}', {
			action: 'Assign a link to a campaign',
			description: 'Put a short link into a campaign',
			path: { campaignId, linkId },
			output: confirmed({
				campaignId: anInteger.described('ID of the campaign'),
				linkId: anInteger.described('ID of the short link'),
			}),
		}),
		create: operation('POST /api/campaign/add', {
			description: 'Create a campaign; with a slug, its address rotates through its links',
			body: { name: required(campaignName), ...campaignFields },
			existing: { ...existingByName, facts: { of: 'rotator', read: slugOf } },
			output: written(campaignRecord),
		}),
		delete: operation('DELETE /api/campaign/{id}/delete', {
			description: 'Delete a campaign; its links stay',
			path: { id: campaignId },
			output: deleted,
		}),
		getAll: operation('GET /api/campaigns', {
			description: 'List the campaigns',
			paging: pages('campaigns'),
			output: listedRecord(campaignRecord),
		}),
		update: operation('PUT /api/campaign/{id}/update', {
			description: 'Change a campaign’s name, slug or access',
			idempotent: true,
			path: { id: campaignId },
			body: { name: required(campaignName), ...campaignFields },
			output: written(campaignRecord),
		}),
	},
);
