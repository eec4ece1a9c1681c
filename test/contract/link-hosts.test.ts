/** The Link Manager on hosts that write values in lists differently, and add members to single links. */
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../engine/index.ts';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { byId, records, runNode, startEngine } from '../support/nodes/link-node';

let engine: Engine;

beforeAll(async () => void (engine = await startEngine()));

/** The response of the host to a path, the links that the node lists, and the link that it gets. */
async function readOn(
	wild: string[],
): Promise<{ lists: IDataObject; listed: IDataObject[]; link: IDataObject }> {
	const sandbox = await LinkSandbox.start({ wild });
	try {
		const run = async (resource: string, operation: string, more: object = {}) =>
			records(await runNode(engine, sandbox, { resource, operation, ...more }));
		const geotarget = { entry: [{ location: 'Canada', link: 'https://example.ca/' }] };
		const [created] = await run('shortLink', 'create', {
			url: 'https://example.com/',
			additionalFields: { geotarget },
		});
		const [lists] = await run('apiRequest', 'send', { apiPath: '/api/urls' });
		const listed = await run('shortLink', 'getAll', { returnAll: true });
		const [link] = await run('shortLink', 'get', { linkId: byId(created!.id) });
		return { lists: lists!, listed, link: link! };
	} finally {
		await sandbox.stop();
	}
}

it.each<[wild: string[], lists: object]>([
	[[], { error: '0', data: { urls: [{ id: 1, clicks: 0 }] } }],
	[['number-error'], { error: 0 }],
	[['string-listed-ids'], { data: { urls: [{ id: '1' }] } }],
	[['string-listed-counts'], { data: { urls: [{ clicks: '0' }] } }],
])('%j: outputs numbers', async (wild, expected) => {
	const { lists, listed, link } = await readOn(wild);
	expect(lists).toMatchObject(expected);
	expect(listed).toMatchObject([{ id: 1, clicks: 0 }]);
	expect(link).toMatchObject({ id: 1, clicks: 0 });
});

it('link-details: outputs the additional members of a single link', async () => {
	expect((await readOn([])).link).toMatchObject({ location: null });
	expect((await readOn(['link-details'])).link).toMatchObject({
		location: { canada: 'https://example.ca/' },
	});
});
