/** The link service's messages in errors. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { linkManager } from '../../nodes/LinkManager/service';
import { responseWith } from '../support/cases/response';

const labels: Record<string, string> = { custom: 'Alias', url: 'URL' };
const request: ApiRequest = { method: 'POST', path: '/api/url/add', labelOf: (name) => labels[name] };

const messageOf = (json: object): string | undefined =>
	linkManager.errorIn(responseWith(json), request)?.message;

it.each([
	['The **custom** must be unique', 'The **custom** (Alias) must be unique'],
	[
		'The custom field is taken, the url field too',
		'The custom field (Alias) is taken, the url field (URL) too',
	],
	['The field url must be a URL', 'The field url (URL) must be a URL'],
	['The **color** and the other field are wrong', 'The **color** and the other field are wrong'],
])('adds the parameter labels to %j', (message, expected) => {
	expect(messageOf({ error: 1, message })).toBe(expected);
});

it('takes a read without an error number for a success up to status 299', () => {
	const read: ApiRequest = { method: 'GET', path: '/api/urls' };
	const messageAt = (status: number): string | undefined =>
		linkManager.errorIn({ ...responseWith({ data: [] }), status }, read)?.message;
	expect(messageAt(299)).toBeUndefined();
	expect(messageAt(300)).toMatch(/\(status 300\)$/);
});

it('takes a response of any kind for a success up to status 299', () => {
	const download: ApiRequest = { method: 'GET', path: '/qr/code', accepts: 'anything' };
	const failureAt = (status: number) => linkManager.errorIn({ ...responseWith({}), status }, download);
	expect(failureAt(299)).toBeUndefined();
	expect(failureAt(300)).toBeDefined();
});

it('reports that the result of a write is unclear only if the response has no error number', () => {
	const failureOf = (json: object) => linkManager.errorIn(responseWith(json), request);
	expect(failureOf({ message: 'No' })).toMatchObject({ unclear: true });
	expect(failureOf({ error: 1, message: 'No' })).not.toHaveProperty('unclear');
});
