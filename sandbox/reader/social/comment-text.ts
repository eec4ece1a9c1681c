const tags = /<(?:!--[\s\S]*?--|[!?/]?[a-z][^>]*)>/gi;
const addresses =
	/\b(?:(?:[\w-]+):\/{1,3}|www\.)(?:(?:[^\s()])*[^!"#$%&'()*+,.:;<=>?@[\]^`{|}~\s]|\([^\s()]*\))+/g;

/** Removes HTML tags from a text; keeps entities. */
export function withoutTags(text: string): string {
	return text.replace(tags, '');
}

/** A comment or reply for the database: on real hosts without tags, and with URLs as links. */
export function keptComment(text: string): string {
	return withoutTags(text).replace(addresses, (address) => {
		const protocol = /^([\w-]+):\//.exec(address)?.[1];
		if (protocol !== undefined && protocol !== 'http' && protocol !== 'https') return address;
		return `<a href="${protocol === undefined ? 'http://' : ''}${address}">${address}</a>`;
	});
}
