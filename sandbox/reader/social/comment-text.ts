import type { Reader } from '../reader.ts';

const tags = /<(?:!--[\s\S]*?--|[!?/]?[a-z][^>]*)>/gi;
const addresses =
	/\b(?:(?:[\w-]+):\/{1,3}|www\.)(?:(?:[^\s()])*[^!"#$%&'()*+,.:;<=>?@[\]^`{|}~\s]|\([^\s()]*\))+/g;

/** A text without anything that looks like an HTML tag; entities stay as they are. */
export function withoutTags(text: string): string {
	return text.replace(tags, '');
}

/** A comment or reply as it is kept: on real hosts without tags, and with web addresses as links. */
export function keptComment(reader: Reader, text: string): string {
	if (!reader.differs('linked-comments')) return text;
	return withoutTags(text).replace(addresses, (address) => {
		const protocol = /^([\w-]+):\//.exec(address)?.[1];
		if (protocol !== undefined && protocol !== 'http' && protocol !== 'https') return address;
		return `<a href="${protocol === undefined ? 'http://' : ''}${address}">${address}</a>`;
	});
}
