const MOST_TAGS = 12;
const LONGEST_TAG = 250;

/** Tags as real hosts keep them: in lower case, split at commas and slashes, not too many and not too long. */
export function splitTags(tags: readonly string[]): string[] {
	return tags
		.flatMap((tag) => tag.split(/[,/]/))
		.map((tag) => tag.toLowerCase().replace(/\s+/g, ' ').trim())
		.filter((tag) => tag !== '')
		.slice(0, MOST_TAGS)
		.map((tag) => tag.slice(0, LONGEST_TAG));
}
