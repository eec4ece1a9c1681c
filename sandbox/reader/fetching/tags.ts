const MOST_TAGS = 12;
const LONGEST_TAG = 250;

/** Normalizes tags like real hosts: lower case, split at commas and slashes, limited in number and length. */
export function splitTags(tags: readonly string[]): string[] {
	return tags
		.flatMap((tag) => tag.split(/[,/]/))
		.map((tag) => tag.toLowerCase().replace(/\s+/g, ' ').trim())
		.filter((tag) => tag !== '')
		.slice(0, MOST_TAGS)
		.map((tag) => tag.slice(0, LONGEST_TAG));
}
