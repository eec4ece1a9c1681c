import type { Html } from '../../shared/html.ts';

/** A response without the JSON envelope: a page, a picture, a redirect, or bare JSON. */
export class Document {
	readonly status: number;
	readonly type: string;
	readonly body: string | Uint8Array;
	readonly headers: Record<string, string>;

	constructor(
		type: string,
		body: string | Uint8Array,
		{ status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
	) {
		this.status = status;
		this.type = type;
		this.body = body;
		this.headers = headers;
	}

	static html(body: Html | string, status = 200): Document {
		return new Document('text/html; charset=utf-8', String(body), { status });
	}

	static json(body: object, status = 200): Document {
		return new Document('application/json', JSON.stringify(body), { status });
	}
}

/** A list that real hosts send as a bare array, and the variant `contract` under `key` in the envelope. */
export class BareList {
	readonly key: string;
	readonly rows: readonly object[];

	constructor(key: string, rows: readonly object[]) {
		this.key = key;
		this.rows = rows;
	}
}

/** A response; records are sent in the envelope. */
export type RouteResponse = Document | BareList | object;

/**
 * The service rejects the request. The response is `code: -1` with the message and `details`; its status is 200 on real
 * hosts, otherwise `status`.
 */
export class Rejection extends Error {
	readonly status: number;
	readonly details: object;

	constructor(message: string, status = 400, details: object = {}) {
		super(message);
		this.status = status;
		this.details = details;
	}
}

/** An error that real hosts send as an HTML page with this status, and the variant `contract` as a rejection with it. */
export class Fault extends Error {
	readonly status: number;

	constructor(message: string, status: 404 | 500) {
		super(message);
		this.status = status;
	}
}

/** A missing parameter that is checked first; status 400 in every variant. */
export class MissingParameter extends Error {
	constructor(name: string) {
		super(`Missing parameter: ${name}`);
	}
}
