import type { FeedFailureKind } from './feed-types.ts';

/** Why a URL could not be fetched or parsed as a feed. `statusCode` is from the last response, null without a response. */
export class FeedFailure extends Error {
	readonly kind: FeedFailureKind;
	readonly statusCode: number | null;

	constructor(kind: FeedFailureKind, message: string, statusCode: number | null = null, cause?: unknown) {
		super(message, { cause });
		this.name = 'FeedFailure';
		this.kind = kind;
		this.statusCode = statusCode;
	}
}

/** The text is not an OPML document. */
export class OpmlFailure extends Error {
	override readonly name = 'OpmlFailure';
}
