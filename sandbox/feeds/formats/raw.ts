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
	/** HTML. */
	content: string;
	/** xml:base of the story, relative to that of the feed. */
	base?: Text;
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
	/** Base URL of the document; undefined for its own URL. */
	base: Text;
	stories: RawStory[];
}

export type Text = string | undefined;

/** The values that are not blank, trimmed. */
export function present(values: Text[]): string[] {
	return values.map((value) => value?.trim() ?? '').filter((value) => value !== '');
}
