export { XMLParser, XMLValidator } from 'fast-xml-parser';
