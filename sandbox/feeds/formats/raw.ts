import { ParseError } from 'feedsmith';
import type { Attachment } from '../attachments.ts';
import type { FeedFormat } from '../feed-types.ts';

/** A story as in its document, before sanitizing. Lists are in order of preference. */
export interface RawStory {
	identities: Text[];
	/** Plain text. */
	title: string;
	links: Text[];
	authors: string[];
	/** Dates of publication, then of the last change. */
	dates: Text[];
	/** Dates of the last change. */
	changes: Text[];
	/** HTML. */
	content: string;
	/** xml:base of the story, relative to that of the feed. */
	base?: Text;
	/** xml:base of the content, relative to that of the story. */
	contentBase?: Text;
	tags: Text[];
	attachments: Attachment[];
	/** URLs of pictures that are not attachments. */
	images: Text[];
}

export interface RawFeed {
	format: FeedFormat;
	/** Plain text, like the description. */
	title: string;
	description: string;
	link: Text;
	icon: Text;
	/** Base URL of the document; undefined for its own URL. */
	base: Text;
	stories: RawStory[];
}

export type Text = string | undefined;

/** The result of the feed library's parser; {} for an empty document, which the library rejects. */
export function unlessEmpty<T extends object>(parse: () => T): Partial<T> {
	try {
		return parse();
	} catch (error) {
		if (error instanceof ParseError) return {};
		throw error;
	}
}

/** The values that are not blank, trimmed. */
export function present(values: Text[]): string[] {
	return values.map((value) => value?.trim() ?? '').filter((value) => value !== '');
}
