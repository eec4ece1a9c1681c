import type { IDataObject } from 'n8n-workflow';
import { dependent, nothing } from '../../runtime/fields/compound';
import { prominent, required, type Field } from '../../runtime/fields/field';
import { choice, flag, ids, text } from '../../runtime/fields/kinds';
import { toInteger, toText } from '../../runtime/values';
import { CounterWatch } from './counters';
import { event } from '../../runtime/poll/event';
import { qrCode } from '../resources/qrCode';
import { shortLink } from '../resources/shortLink';
import { lastSegment } from './knownRecords';

/** Chosen records by id, a part of their names, or all where nothing is chosen. */
type Selection = number[] | string | undefined;

const nameContains = required(
	text('Name Contains', {
		parameter: 'nameContains',
		example: 'menu',
		description: 'A part of the name, in any case',
	}),
);

const includeChanges = prominent(
	flag('Include Changes', 'to ask from which countries, referrers, browsers and systems the new ones came', {
		parameter: 'includeChanges',
		default: true,
	}),
);

/** The words of a record that Name Contains looks at. */
const includes = (texts: unknown[], wanted: string): boolean =>
	texts.some((entry) =>
		toText(entry ?? '')
			.toLowerCase()
			.includes(wanted.toLowerCase()),
	);

const isSelected = (selection: Selection, record: IDataObject, names: unknown[]): boolean => {
	if (selection === undefined) return true;
	if (typeof selection === 'string') return includes(names, selection);
	return selection.includes(toInteger(record.id) ?? NaN);
};

const toCount = (raw: unknown): number => Math.max(toInteger(raw) ?? 0, 0);

const whichQrCodes = required(
	choice(
		'Which QR Codes',
		{ all: 'All', chosen: 'Chosen Ones', name: 'By Name' },
		{ parameter: 'whichQrCodes', default: 'all', description: 'Whose scans start the workflow' },
	),
);
const qrCodes: Field<Selection> = dependent<Selection>('whichQrCodes', {
	chosen: required(
		ids('QR Code Names or IDs', 'qrCode', { description: 'Those whose scans count', parameter: 'qrCodeIds' }),
	),
	name: nameContains,
	all: nothing,
});

const whichLinks = required(
	choice(
		'Which Links',
		{ all: 'All', chosen: 'Chosen Ones', name: 'By Name' },
		{ parameter: 'whichLinks', default: 'all', description: 'Whose clicks start the workflow' },
	),
);
const links: Field<Selection> = dependent<Selection>('whichLinks', {
	chosen: required(
		ids('Short Link Names or IDs', 'shortLink', {
			description: 'Those whose clicks count',
			parameter: 'linkIds',
		}),
	),
	name: nameContains,
	all: nothing,
});

export const newQrScan = event({
	name: 'New QR Scan',
	description: 'When QR codes are scanned',
	fields: {
		whichQrCodes,
		qrCodes,
		itemFor: required(
			choice(
				'One Item For',
				{ code: 'Each QR Code', scan: 'Each Scan' },
				{
					parameter: 'scanItems',
					default: 'code',
					description: 'One item a poll for a code with its new scans, or one for each of them',
				},
			),
		),
		includeChanges,
	},
	watch: ({ qrCodes: selection, itemFor, includeChanges: withChanges }) =>
		new CounterWatch({
			list: qrCode.operations.getAll,
			...(withChanges && { get: qrCode.operations.get }),
			name: 'qr',
			one: 'scan',
			many: 'scans',
			count: ({ scans }) => toCount(scans),
			mark: ({ link, date }) => [lastSegment(link), date],
			isWatched: (record) => isSelected(selection, record, [record.name]),
			itemPerCount: itemFor === 'scan',
		}),
	gives: () => qrCode.operations.getAll.output.kind,
});

export const newShortLinkClick = event({
	name: 'New Short Link Click',
	description: 'When short links are clicked',
	fields: {
		whichLinks,
		links,
		itemFor: required(
			choice(
				'One Item For',
				{ click: 'Each Click', link: 'Each Short Link' },
				{
					parameter: 'clickItems',
					default: 'link',
					description: 'One item a poll for a link with its new clicks, or one for each of them',
				},
			),
		),
		includeChanges,
	},
	watch: ({ links: selection, itemFor, includeChanges: withChanges }) =>
		new CounterWatch({
			list: shortLink.operations.getAll,
			...(withChanges && { get: shortLink.operations.get }),
			name: 'link',
			one: 'click',
			many: 'clicks',
			count: ({ clicks }) => toCount(clicks),
			mark: ({ shorturl, date }) => [lastSegment(shorturl), date],
			isWatched: (record) => isSelected(selection, record, [record.title, record.alias, record.shorturl]),
			itemPerCount: itemFor === 'click',
		}),
	gives: () => shortLink.operations.getAll.output.kind,
});
