import { dependent, group } from '../../runtime/fields/compound';
import { settled } from '../../runtime/promises';
import { prominent, required, type Field } from '../../runtime/fields/field';
import { choice, color, json, text } from '../../runtime/fields/kinds';
import { anInteger, aText, record, aPastMoment } from '../../runtime/table/record';
import { operation, resource } from '../../runtime/table/operation';
import { toText } from '../../runtime/values';
import { qrCodeId } from '../fields';
import { listedRecord, recordUnder } from '../../runtime/table/outputs';
import { qrImage } from '../model/qrImage';
import { deleted, pages, updated, written } from '../outputs';
import { withStatistics } from '../statistics';

const qrCodeRecord = record({ id: anInteger, link: aText, scans: anInteger, name: aText, date: aPastMoment });

const qrType = required(
	choice(
		'QR Type',
		{ email: 'Email', link: 'Link', phone: 'Phone', sms: 'SMS', text: 'Text', vcard: 'vCard', wifi: 'Wi-Fi' },
		{ parameter: 'qrType', default: 'link', description: 'What a phone does when it scans the code' },
	),
);

const anEmail = { example: 'name@example.com' };
const aNumber = { example: '+15550100' };

/** What each type holds (seen in the wild; the interface document leaves it open). */
const forms: Record<string, Field> = {
	email: group('email', {
		email: required(text('Email', { ...anEmail, description: 'Who the mail is to' })),
		subject: text('Subject', { example: 'Your offer', description: 'What the mail is about' }),
		body: text('Message', {
			example: 'Please call me back',
			rows: 3,
			description: 'The text that the visitor may still change',
		}),
	}),
	link: required(
		text('Link', {
			parameter: 'qrLink',
			example: 'https://example.com/menu',
			description: 'The address that the phone opens',
		}),
	),
	phone: required({
		...text('Phone Number', { ...aNumber, description: 'Who the phone calls' }),
		parameter: 'qrPhone',
	}),
	sms: group('sms', {
		phone: required(text('Phone Number', { ...aNumber, description: 'Who the message is to' })),
		message: text('Message', {
			example: 'Count me in',
			rows: 3,
			description: 'The text that the visitor may still change',
		}),
	}),
	text: required(
		text('Text', {
			parameter: 'qrText',
			example: 'Table 12',
			rows: 3,
			description: 'What the phone shows',
		}),
	),
	vcard: group('vcard', {
		fname: required(
			text('First Name', { example: 'Ada', description: 'Of the contact that the phone saves' }),
		),
		lname: text('Last Name', { example: 'Example', description: 'The rest of the contact’s name' }),
		phone: text('Phone Number', { ...aNumber, description: 'Where to call the contact' }),
		email: text('Email', { ...anEmail, description: 'Where to write to the contact' }),
		site: text('Website', {
			example: 'https://example.com',
			description: 'The contact’s own site',
		}),
	}),
	wifi: group('wifi', {
		ssid: required(
			text('Network Name', { example: 'Guests', description: 'The network that the phone joins' }),
		),
		encryption: choice(
			'Encryption',
			{ nopass: 'None', wep: 'WEP', wpa: 'WPA/WPA2' },
			{ default: 'wpa', description: 'How the network is protected' },
		),
		pass: text('Network Password', {
			hidden: true,
			example: 'welcome',
			description: 'What lets phones into the network; the code shows it to all who scan it',
		}),
	}),
};

const dataSource = required(
	choice(
		'Specify Data',
		{ fields: 'Using Fields Below', json: 'Using JSON' },
		{ parameter: 'dataSource', default: 'fields', description: 'How to enter what the code holds' },
	),
);

const entered = dependent('dataSource', {
	fields: dependent('qrType', forms),
	json: required(
		json('Data (JSON)', {
			parameter: 'qrData',
			example: '{ "ssid": "Guests" }',
			description:
				'As the service takes it for this type: a text in quotes, or an object like { "ssid": "Guests" }',
		}),
	),
});

/** The choice of how to enter them stands before the fields of a type, and after the type. */
const data: Field = {
	...entered,
	properties: (name) => [...dataSource.properties('dataSource'), ...entered.properties(name)],
	read: async (form, name) => {
		await dataSource.read(form, 'dataSource');
		return await entered.read(form, name);
	},
};

const look = {
	name: text('Name', { example: 'Menu, table 12', description: 'How the code is called in lists' }),
	background: color('Background Color', 'rgb', {
		default: '#ffffff',
		description: 'The lighter of the two, or phones may not read it',
	}),
	foreground: color('Foreground Color', 'rgb', {
		default: '#000000',
		description: 'The color of the squares',
	}),
	logo: text('Logo', {
		example: 'https://example.com/logo.png',
		description: 'Path or URL of a PNG or JPG image to show in the middle',
	}),
};

const IMAGE_FORMATS = { png: 'PNG', svg: 'SVG' };
export const qrCode = resource(
	'QR Code',
	{
		description: 'QR codes that count their scans',
		listing: {
			list: 'getAll',
			label: (entry) => toText(entry.name || entry.link),
			url: (entry) => entry.link,
		},
	},
	{
		create: operation('POST /api/qr/add', {
			name: 'Create',
			action: 'Create a QR code',
			description: 'Create a QR code for a link, text, contact, message or network',
			form: {
				image: choice('Download Image', IMAGE_FORMATS, {
					parameter: 'imageFormat',
					default: 'png',
					description: 'The format in which the image comes along, in the binary field data',
				}),
			},
			body: { type: qrType, data, ...look },
			output: written(qrCodeRecord),
			files: async ({ form }, code, api) => {
				if (!form.image) return undefined;
				const image = await settled(qrImage(code, form.image, api));
				if ('value' in image) return { data: image.value };
				// The code is there all the same.
				api.hint(`QR code ${toText(code.id)} was created, but its image could not be had`);
				return undefined;
			},
		}),
		delete: operation('DELETE /api/qr/{id}/delete', {
			name: 'Delete',
			action: 'Delete a QR code for good',
			description: 'Delete a QR code, which then leads nowhere',
			path: { id: qrCodeId },
			output: deleted,
		}),
		download: operation('GET /api/qr/{id}', {
			name: 'Download',
			action: 'Download a QR code',
			description: 'Get the image of a QR code as a file, which counts no scan',
			composite: true,
			path: { id: qrCodeId },
			form: {
				imageFormat: prominent(
					choice('Image Format', IMAGE_FORMATS, {
						default: 'png',
						description: 'PNG for screens and mails, SVG for print; hosts may lack SVG',
					}),
				),
				binaryField: prominent(
					text('Put Output File in Field', {
						parameter: 'binaryPropertyName',
						default: 'data',
						description: 'The name of the output item’s binary field that takes the image',
					}),
				),
			},
			output: recordUnder('details', qrCodeRecord),
			files: async ({ form: { imageFormat = 'png', binaryField = 'data' } }, code, api) => ({
				[binaryField]: await qrImage(code, imageFormat, api),
			}),
		}),
		get: operation('GET /api/qr/{id}', {
			name: 'Get',
			action: 'Get a QR code',
			description: 'Get a QR code with the statistics of its scans',
			path: { id: qrCodeId },
			...withStatistics(qrCodeRecord),
		}),
		getAll: operation('GET /api/qr', {
			name: 'Get Many',
			action: 'Get many QR codes',
			description: 'List the QR codes with their number of scans',
			paging: pages('qrs'),
			output: listedRecord(qrCodeRecord),
		}),
		update: operation('PUT /api/qr/{id}/update', {
			name: 'Update',
			action: 'Update a QR code',
			description:
				'Change what a QR code holds, its type, its name or how it looks; the service asks for what it holds each time',
			idempotent: true,
			path: { id: qrCodeId },
			form: { qrType },
			body: { data, ...look },
			// Version 1 never sent the type: what it was saved with may be another than the code's.
			prepare: ({ body, form, version }) => (version < 1.1 ? {} : { body: { type: form.qrType, ...body } }),
			output: updated(qrCodeRecord),
		}),
	},
);
