/** Evaluated on first use: few workflows need it. */
const library = (): typeof import('./libraries/fast-xml-parser') => require('./libraries/fast-xml-parser');

/**
 * Parses XML into plain objects. Attribute names get the prefix `@_`; all values are strings.
 * Expands only XML's and HTML's entities and numeric characters. Throws if a document is malformed or defines entities.
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
