import type { ItemApi } from '../../nodes/runtime/api-types';
import { faviconResults } from '../../nodes/NewsReader/model/favicons';

it.each([
	['data:image/png;base64,QQ==', 'favicon-7.png', 'A'],
	['QQ==', 'favicon-7.png', 'A'],
	['data:image/png;base64,QQ%3D%3D', 'favicon-7.png', 'A'],
	['data:image/svg+xml,%3Csvg%20a="1,2"/%3E', 'favicon-7.svg', '<svg a="1,2"/>'],
	['data:image/x-icon,%89A', 'favicon-7.icon', '\x89A'],
	['data:image/../../x;base64,QQ==', 'favicon-7.png', 'A'],
])('makes a file of %s', async (uri, fileName, content) => {
	const file = jest.fn();
	const api = { file, results: () => [{ json: {} }] } as unknown as ItemApi;
	await faviconResults({ json: { 7: uri, authenticated: true } } as never, api, true);
	const [bytes, name] = file.mock.lastCall as [Buffer, string];
	expect([name, bytes.toString('latin1')]).toEqual([fileName, content]);
});
