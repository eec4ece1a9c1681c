import { scalarText, toText } from '../../runtime/values';

/** The last part of an address's path: the alias of a short URL, the code of a QR code. It stays the same if the host changes its name. */
export const lastSegment = (address: unknown): string =>
	toText(address ?? '')
		.replace(/\/+$/, '')
		.split('/')
		.at(-1) ?? '';

/** An address with a scheme: `https`, unless it has one. */
export const withScheme = (written: unknown): string | undefined => {
	const address = scalarText(written)?.trim();
	return address && (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`);
};
