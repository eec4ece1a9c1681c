import { scalarText, toText } from '../../runtime/values';

/** The last part of an address: the alias of a short URL, the code of a QR code. It stays the same if the host is renamed. */
export const lastSegment = (address: unknown): string =>
	toText(address ?? '')
		.replace(/\/+$/, '')
		.split('/')
		.at(-1) ?? '';

/** An address with a scheme: its own, or else `https`. */
export const withScheme = (value: unknown): string | undefined => {
	const address = scalarText(value)?.trim();
	return address && (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`);
};
