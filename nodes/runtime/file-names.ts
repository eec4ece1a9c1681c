import type { Headers } from './api-types';

/** The last part of a path, without control characters; undefined if no file can have this name. */
export function fileNameOf(path: string): string | undefined {
	const name = path
		.split(/[/\\]/)
		.at(-1)!
		.replace(/\p{Cc}/gu, '')
		.trim();
	return ['', '.', '..'].includes(name) ? undefined : name;
}

/** The file name that a response gives in Content-Disposition (RFC 6266); undefined if it gives none. */
export function fileNameIn(headers: Headers): string | undefined {
	const written = String(headers['content-disposition'] ?? '');
	const [, encoded] = /filename\*=[\w-]*'[\w-]*'([^;]+)/i.exec(written) ?? [];
	const [, quoted, plain] = /filename=(?:"([^"]*)"|([^;"]*))/i.exec(written) ?? [];
	return fileNameOf((encoded && decoded(encoded)) ?? quoted ?? plain ?? '');
}

/** A percent-encoded text, decoded; undefined if it is not valid. */
export function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
