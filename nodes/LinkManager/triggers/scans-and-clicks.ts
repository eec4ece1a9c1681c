import type { IDataObject } from 'n8n-workflow';
import { dependent, nothing } from '../../runtime/fields/compound';
import { alwaysShown, required, type Field } from '../../runtime/fields/field';
import { flag, ids, requiredChoice, requiredText } from '../../runtime/fields/kinds';
import type { Operation } from '../../runtime/table/operation';
import { anInteger, anything, aMoment, record, type RecordSchema } from '../../runtime/table/record';
import { contains, toInteger } from '../../runtime/values';
import { CounterWatch } from './counter';
import { event } from '../../runtime/table/event';
import { qrCode } from '../resources/qr-code';
import { shortLink } from '../resources/short-link';

/** Which records are watched: those with these ids, those whose name contains this text, or all. */
type Selection = number[] | string | undefined;

const nameContains = requiredText('Name Contains', {
	paramName: 'nameContains',
	example: 'menu',
	description: 'Part of the code’s name, ignoring case',
});
const linkContains = requiredText('Title or Alias Contains', {
	paramName: 'linkContains',
	example: 'menu',
	description: 'Part of the link’s title, alias or short URL, ignoring case',
});

const includeChanges = alwaysShown(
	flag(
		'Include Changes',
		'to request the countries, referrers, browsers and systems of the new scans or clicks',
		{ paramName: 'includeChanges', default: true },
	),
);

const isSelected = (selection: Selection, record: IDataObject, names: unknown[]): boolean => {
	if (selection === undefined) return true;
	if (typeof selection === 'string') return names.some((name) => contains(name, selection));
	return selection.includes(toInteger(record.id) ?? NaN);
};

const whichQrCodes = requiredChoice(
	'Which QR Codes',
	{ all: 'All', chosen: 'Chosen Ones', name: 'By Name' },
	{ paramName: 'whichQrCodes', default: 'all', description: 'Which codes to watch' },
);
const qrCodes: Field<Selection> = dependent<Selection>(whichQrCodes, {
	chosen: required(ids('QR Codes', 'qrCode', { description: 'The codes to watch', paramName: 'qrCodeIds' })),
	name: nameContains,
	all: nothing,
});

const whichLinks = requiredChoice(
	'Which Links',
	{ all: 'All', chosen: 'Chosen Ones', name: 'By Title or Alias' },
	{ paramName: 'whichLinks', default: 'all', description: 'Which links to watch' },
);
const links: Field<Selection> = dependent<Selection>(whichLinks, {
	chosen: required(
		ids('Short Links', 'shortLink', { description: 'The links to watch', paramName: 'linkIds' }),
	),
	name: linkContains,
	all: nothing,
});

/** The schema of items: the records of the list, with the counts and their changes. `createdDate` replaces `date`. */
function outputOf({ output: { schema } }: Operation, counts: RecordSchema['members']): RecordSchema {
	const { date, ...members } = schema.members;
	const createdDate = date ?? aMoment;
	return record({ ...members, createdDate, ...counts, noticedAt: aMoment, changes: anything });
}

export const newQrScan = event({
	name: 'New QR Scan',
	description: 'When QR codes are scanned',
	fields: {
		whichQrCodes,
		qrCodes,
		itemFor: requiredChoice(
			'One Item For',
			{ code: 'Each QR Code', scan: 'Each Scan' },
			{
				paramName: 'scanItems',
				default: 'code',
				description: 'One item for each code with new scans, or one for each scan',
			},
		),
		includeChanges,
	},
	watchKey: () => null,
	watch: ({ qrCodes: selection, itemFor, includeChanges: withChanges }) =>
		new CounterWatch({
			list: qrCode.operations.getAll,
			...(withChanges && { get: qrCode.operations.get }),
			idPrefix: 'qr',
			singular: 'scan',
			counter: 'scans',
			isWatched: (record) => isSelected(selection, record, [record.name]),
			itemPerCount: itemFor === 'scan',
		}),
	output: ({ itemFor }) =>
		outputOf(
			qrCode.operations.getAll,
			itemFor === 'scan' ? { scan: anInteger } : { newScans: anInteger, previousScans: anInteger },
		),
});

export const newShortLinkClick = event({
	name: 'New Short Link Click',
	description: 'When short links are clicked',
	fields: {
		whichLinks,
		links,
		itemFor: requiredChoice(
			'One Item For',
			{ click: 'Each Click', link: 'Each Short Link' },
			{
				paramName: 'clickItems',
				default: 'link',
				description: 'One item for each link with new clicks, or one for each click',
			},
		),
		includeChanges,
	},
	watchKey: () => null,
	watch: ({ links: selection, itemFor, includeChanges: withChanges }) =>
		new CounterWatch({
			list: shortLink.operations.getAll,
			...(withChanges && { get: shortLink.operations.get }),
			idPrefix: 'link',
			singular: 'click',
			counter: 'clicks',
			isWatched: (record) => isSelected(selection, record, [record.title, record.alias, record.shortUrl]),
			itemPerCount: itemFor === 'click',
		}),
	output: ({ itemFor }) =>
		outputOf(
			shortLink.operations.getAll,
			itemFor === 'click' ? { click: anInteger } : { newClicks: anInteger, previousClicks: anInteger },
		),
});
