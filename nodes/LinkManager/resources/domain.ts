import type { IDataObject } from 'n8n-workflow';
import { requiredText } from '../../runtime/fields/kinds';
import { aText, anInteger, record } from '../../runtime/table/record';
import { operation, resource, listedRecord } from '../../runtime/table/operation';
import { domainId, url } from '../fields';
import { withScheme } from '../../runtime/addresses';
import { domainKey } from '../model/addresses';
import { deleted, pages, updated, written } from '../outputs';
import { toText } from '../../runtime/values';

const domainRecord = record(
	{
		id: anInteger.described('ID of the domain'),
		domain: aText.described('Branded domain'),
		redirectRoot: aText.described('Where visitors of the domain itself are sent'),
		redirect404: aText.described('Where visitors of unknown links are sent'),
	},
	{ redirectRoot: ['redirectroot'] },
);

const redirects = {
	redirectroot: url('Root Redirect URL', {
		example: 'https://example.com',
		description: 'Where to send visitors of the domain itself',
	}),
	redirect404: url('Not Found Redirect URL', {
		example: 'https://example.com/404',
		description: 'Where to send visitors of an unknown link',
	}),
};

const listing = {
	list: 'getAll' as const,
	label: (entry: IDataObject) => toText(entry.domain),
	url: (entry: IDataObject) => entry.domain,
};

export const domain = resource(
	'Domain',
	{ description: 'Branded domains for short links', listing },
	{
		create: operation('POST /api/domain/add', {
			description: 'Add a branded domain, which must already point to the service',
			body: {
				domain: requiredText('Domain', {
					example: 'https://go.example.com',
					description: 'The domain; type http:// only if it has no HTTPS',
				}),
				...redirects,
			},
			prepare: ({ body }) => ({ body: { ...body, domain: withScheme(body.domain) } }),
			existing: {
				matchedBy: 'with the same domain',
				keysOf: (entry) => [domainKey(entry.domain)],
				lookUps: (body) => [{ key: domainKey(body.domain) }],
			},
			output: written(domainRecord),
		}),
		delete: operation('DELETE /api/domain/{id}/delete', {
			description: 'Remove a branded domain',
			path: { id: domainId },
			output: deleted,
		}),
		getAll: operation('GET /api/domains', {
			description: 'List the branded domains',
			paging: pages('domains'),
			output: listedRecord(domainRecord),
		}),
		update: operation('PUT /api/domain/{id}/update', {
			description: 'Change the redirects of a branded domain; its name cannot be changed',
			idempotent: true,
			path: { id: domainId },
			body: redirects,
			output: updated(domainRecord),
		}),
	},
);

/** Domains by their names, by which short links refer to them. */
export const domainNames = { ...domain, listing: { ...listing, id: listing.label } };
