/** Members of a response that cannot be converted to a text or a number: JSON can contain such objects. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { responseWith } from '../support/cases/response';
import { linkManager } from '../../nodes/LinkManager/service';
import { newsReader } from '../../nodes/NewsReader/service';
import { linkTable, readerTable } from '../../nodes/tables';

const odd = { toString: 1, valueOf: 1 };
/** Every member is like that. */
const record = new Proxy({}, { get: () => odd });

const resources = [...Object.entries(linkTable), ...Object.entries(readerTable)];

it.each(resources)('make no list of %s fail', (_, { listing, operations }) => {
	expect(typeof (listing?.label(record) ?? '')).toBe('string');
	for (const { paging } of Object.values(operations)) {
		expect(typeof (paging?.identity?.(record) ?? '')).toBe('string');
	}
});

it.each([linkManager, newsReader])('make no response of $name fail', ({ errorIn }) => {
	const request: ApiRequest = { method: 'POST', path: '/somewhere' };
	for (const name of ['error', 'code', 'message', 'errors', 'result', 'authenticated']) {
		const json = { [name]: odd };
		expect(() => errorIn(responseWith(json), request)).not.toThrow();
	}
});
