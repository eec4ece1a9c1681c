/** Evaluated on first use: few workflows need it. */
const library = (): typeof import('./libraries/fastXmlParser') => require('./libraries/fastXmlParser');

/**
 * Reads XML into plain objects; attributes carry the prefix `@_`, all values stay texts.
 * Only known entities are expanded (XML's own, HTML's, and characters by number): a document that defines
 * others is refused, as is a broken one.
 */
export function parseXml(xml: string): Record<string, unknown> {
	if (/<!DOCTYPE/i.test(xml) && /<!ENTITY/i.test(xml)) throw new Error('it defines entities of its own');
	const valid = library().XMLValidator.validate(xml);
	if (valid !== true) throw new Error(`${valid.err.msg} (line ${valid.err.line})`);
	const parser = new (library().XMLParser)({
		ignoreAttributes: false,
		attributeNamePrefix: '@_',
		parseTagValue: false,
		parseAttributeValue: false,
		htmlEntities: true,
	});
	return parser.parse(xml) as Record<string, unknown>;
}
