import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { ApiResponse, ItemApi } from '../../runtime/api-types';
import { classOf } from '../../runtime/errors/errors';
import { settled, toText } from '../../runtime/values';
import { lastSegment } from './addresses';

const MIME_TYPES = { png: 'image/png', svg: 'image/svg+xml' };
type Format = keyof typeof MIME_TYPES;

/**
 * Downloads the image of a QR code. Some hosts serve it below the code's address, others at that address (both seen in
 * the wild). A GET of the address could count as a scan, so a HEAD request first checks that it returns an image.
 */
export async function qrImage(
	code: IDataObject,
	format: Format,
	api: ItemApi,
	pixels = 1000,
): Promise<IBinaryData> {
	const name = lastSegment(code.link);
	const path = `/qr/${encodeURIComponent(name)}`;
	const image =
		(await imageAt(`${path}/download/${format}/${pixels}`, 'GET', format, api)) ??
		((await imageAt(path, 'HEAD', format, api)) && (await imageAt(path, 'GET', format, api)));
	if (image) return await api.file(image.bytes, `${name}.${format}`, MIME_TYPES[format]);
	throw api.apiError(
		`The service has no ${format.toUpperCase()} image of QR code ${toText(code.id)}`,
		`The address ${path} returned none. Try another Image Format.`,
	);
}

/** The response, if it is an image in this format; undefined for anything else, a refusal, or a redirect (misconfigured). */
async function imageAt(
	path: string,
	method: 'GET' | 'HEAD',
	format: Format,
	api: ItemApi,
): Promise<ApiResponse | undefined> {
	const response = await settled(api.send({ method, path, accepts: 'anything', anonymous: true }));
	if ('value' in response) return isImage(response.value, format, method) ? response.value : undefined;
	if (['refused', 'misconfigured'].includes(String(classOf(response.error)))) return undefined;
	throw response.error;
}

const isImage = ({ headers, bytes }: ApiResponse, format: Format, method: string): boolean =>
	String(headers['content-type']).startsWith(MIME_TYPES[format]) && (method === 'HEAD' || bytes.length > 0);
