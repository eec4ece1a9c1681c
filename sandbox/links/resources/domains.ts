import { conflict, invalid } from '../responses.ts';
import { isWebUrl, object, optional, textThat, webUrlOrNone } from '../fields.ts';
import { action, ownList } from '../link-route.ts';

const redirects = { redirectroot: optional(webUrlOrNone), redirect404: optional(webUrlOrNone) };
const domain = textThat(
	(value) => isWebUrl(value) && new URL(value).pathname === '/' && !/[?#]/.test(value),
	'must be a domain with http:// or https:// and no path',
);

export const domainRoutes = [
	ownList({
		path: '/domains',
		collection: 'domains',
		table: 'domains',
		present: ({ id, domain, redirectroot, redirect404 }) => ({ id, domain, redirectroot, redirect404 }),
	}),
	action({
		method: 'POST',
		path: '/domain/add',
		body: object({ domain, ...redirects }),
		run({ store, account, context, body }) {
			const { origin, hostname } = new URL(body.domain);
			// A reserved name (RFC 2606) represents all domains that do not point to the service.
			if (hostname.endsWith('.invalid')) {
				throw invalid(`The domain ${hostname} does not point to this service. Change its DNS record first.`);
			}
			if (context.baseUrl.startsWith(`${origin}/`))
				throw invalid('The domain is the address of this service itself.');
			if (store.find('domains', { domain: origin }) !== undefined) throw conflict('That domain');
			const id = store.insert('domains', {
				account_id: account.id,
				domain: origin,
				redirectroot: body.redirectroot ?? '',
				redirect404: body.redirect404 ?? '',
			});
			return { id };
		},
	}),
	action({
		method: 'PUT',
		path: '/domain/:id/update',
		body: object(redirects),
		run(call) {
			const { id } = call.own('domains', call.id(), 'Domain');
			call.store.update('domains', id, call.body);
			return { message: 'Domain has been updated successfully.' };
		},
	}),
	action({
		method: 'DELETE',
		path: '/domain/:id/delete',
		run(call) {
			const { id } = call.own('domains', call.id(), 'Domain');
			call.store.remove('domains', { id });
			return { message: 'Domain has been deleted successfully.' };
		},
	}),
];
