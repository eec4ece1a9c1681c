/** Responses with objects that throw when they are converted to text or numbers. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { responseWith } from '../support/cases/response';
import { linkManager } from '../../nodes/LinkManager/service';
import { newsReader } from '../../nodes/NewsReader/service';
import { linkTable, readerTable } from '../../nodes/tables';

const unconvertible = { toString: 1, valueOf: 1 };
/** A record in which each member is such an object. */
const record = new Proxy({}, { get: () => unconvertible });

const resources = [...Object.entries(linkTable), ...Object.entries(readerTable)];

it.each(resources)('does not fail a list of %s', (_, { listing, operations }) => {
	expect(typeof (listing?.label(record) ?? '')).toBe('string');
	for (const { paging } of Object.values(operations)) {
		expect(typeof (paging?.identity?.(record) ?? '')).toBe('string');
	}
});

it.each([linkManager, newsReader])('does not fail an operation of $name', ({ errorIn }) => {
	const request: ApiRequest = { method: 'POST', path: '/somewhere' };
	for (const name of ['error', 'code', 'message', 'errors', 'result', 'authenticated']) {
		const json = { [name]: unconvertible };
		expect(() => errorIn(responseWith(json), request)).not.toThrow();
	}
});
