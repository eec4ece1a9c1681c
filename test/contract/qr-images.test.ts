/** Downloads of QR code images in the sandbox, from stored files and from URLs that generate the image. */
import { byId, records, runNode } from '../support/nodes/link-node';
import { FakeHost } from '../support/hosts/fake-host';
import { LinkSandbox } from '../support/hosts/link-sandbox';
import { engine } from '../support/nodes/suite-engine';

describe.each([[{}], [{ wild: ['image-link'] }]])('a sandbox with %j', (options) => {
	let sandbox: LinkSandbox;
	const isImageLink = 'wild' in options;

	beforeAll(async () => {
		sandbox = await LinkSandbox.start(options);
	});

	const qrCode = async (operation: string, parameters: object) =>
		await runNode(engine, sandbox, { resource: 'qrCode', operation, ...parameters });

	it('downloads an image into the requested field without counting a scan', async () => {
		const [made] = records(await qrCode('create', { qrType: 'link', qrLink: 'https://example.com/menu' }));
		const qrCodeId = byId(made!.id);
		const result = await qrCode('download', { qrCodeId, binaryPropertyName: 'picture' });
		const [item] = result.items('Link Manager');
		expect(item!.json).toMatchObject({ id: made!.id, link: made!.link, scans: 0 });
		expect(Object.keys(item!.binary!)).toEqual(['picture']);
		const { picture } = item!.binary!;
		expect(picture).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
		expect(Buffer.from(picture!.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
		expect(records(await qrCode('get', { qrCodeId }))).toMatchObject([{ scans: 0 }]);
	});

	it('downloads an image with a credential that is read-only', async () => {
		const [made] = records(await qrCode('create', { qrType: 'text', qrText: 'r' }));
		const download = { resource: 'qrCode', operation: 'download', qrCodeId: byId(made!.id) };
		const result = await runNode(engine, { baseUrl: sandbox.baseUrl, readOnly: true }, download);
		expect(result.items('Link Manager')[0]!.binary!.data).toMatchObject({ mimeType: 'image/png' });
	});

	it(isImageLink ? 'reports that there is no SVG' : 'downloads an SVG', async () => {
		const [made] = records(await qrCode('create', { qrType: 'text', qrText: 'x' }));
		const result = await qrCode('download', { qrCodeId: byId(made!.id), imageFormat: 'svg' });
		if (isImageLink) {
			expect(result.error).toMatchObject({
				message: `The service has no SVG image of QR code ${String(made!.id)} [item 0]`,
				description: expect.stringMatching(/^The address \S+ returned none/) as string,
			});
		} else {
			expect(result.items('Link Manager')[0]!.binary!.data).toMatchObject({ mimeType: 'image/svg+xml' });
		}
	});

	it('returns the record of a code whose image is missing', async () => {
		const additionalFields = { imageFormat: 'svg' };
		const result = await qrCode('create', { qrType: 'text', qrText: 'y', additionalFields });
		expect(records(result)).toHaveLength(1);
		expect(result.items('Link Manager')[0]!.binary === undefined).toBe(isImageLink);
	});

	it.each(['return', 'update'])('downloads an existing code with Raw Response: %s', async (ifExists) => {
		const create = { qrType: 'text', additionalFields: { imageFormat: 'png', name: 'Table' } };
		await qrCode('create', { ...create, qrText: 'z' });
		const options = { rawResponse: true };
		const result = await qrCode('create', { ...create, qrText: 'other', ifExists, options });
		expect(result.items('Link Manager')[0]!.binary!.data).toMatchObject({ mimeType: 'image/png' });
	});
});

it.each([
	['an image of 0 bytes', { headers: { 'content-type': 'image/png' }, body: '' }],
	['a code that leads to its target', { status: 302, headers: { location: 'https://shop.test/menu' } }],
])('takes %s for no image', async (_, reply) => {
	const details = { id: 7, link: 'https://links.test/qr/abc' };
	const host = await FakeHost.start(({ path }) =>
		path.startsWith('/api/') ? { body: { error: 0, details, data: {} } } : reply,
	);
	const { error } = await runNode(engine, host, {
		resource: 'qrCode',
		operation: 'download',
		qrCodeId: byId(7),
	});
	expect(error?.message).toBe('The service has no PNG image of QR code 7 [item 0]');
});
