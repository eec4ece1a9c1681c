import type { IBinaryData, IDataObject } from 'n8n-workflow';
import type { Answer } from '../../runtime/exchange';
import { isRefusal } from '../../runtime/errors/failures';
import { settled } from '../../runtime/promises';
import type { ItemApi } from '../../runtime/table/operation';
import { toText } from '../../runtime/values';

const MIME_TYPES = { png: 'image/png', svg: 'image/svg+xml' };
/** The width that is asked for, in pixels. */
const WIDTH = 1000;

type Format = keyof typeof MIME_TYPES;

/**
 * The image of a QR code. Hosts have it below the code's address, or that address itself is the image (both seen in the
 * wild). Neither is a scan: what may be one is only asked for its head.
 */
export async function qrImage(code: IDataObject, format: Format, api: ItemApi): Promise<IBinaryData> {
	const name = toText(code.link ?? '')
		.split('/')
		.at(-1);
	const path = `/qr/${encodeURIComponent(name ?? '')}`;
	const ask = async (method: 'GET' | 'HEAD', at: string): Promise<Answer | undefined> => {
		const asked = await settled(api.send({ method, path: at, accepts: 'anything', anonymous: true }));
		if ('value' in asked) return isImage(asked.value, format) ? asked.value : undefined;
		if (isRefusal(asked.error)) return undefined;
		throw asked.error;
	};
	const image =
		(await ask('GET', `${path}/download/${format}/${WIDTH}`)) ??
		((await ask('HEAD', path)) && (await ask('GET', path)));
	if (image) return await api.file(image.bytes, `${name}.${format}`, MIME_TYPES[format]);
	throw api.failure(
		`The service gives no ${format.toUpperCase()} image of QR code ${toText(code.id)}`,
		`It was looked for at ${path}. Try another Image Format.`,
	);
}

const isImage = ({ headers }: Answer, format: Format): boolean =>
	String(headers['content-type']).startsWith(MIME_TYPES[format]);
