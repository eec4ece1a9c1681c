import type { IDataObject } from 'n8n-workflow';
import { dependent, group, type Case } from '../../runtime/fields/compound';
import { settled, toText } from '../../runtime/values';
import { advanced, alwaysShown, required, type Field } from '../../runtime/fields/field';
import { choice, color, integer, json, text, requiredChoice, requiredText } from '../../runtime/fields/kinds';
import { anInteger, aText, record, aMoment } from '../../runtime/table/record';
import { operation, resource, listedRecord, recordUnder } from '../../runtime/table/operation';
import { qrCodeId, url } from '../fields';
import { qrImage } from '../model/qr-image';
import { created, deleted, existingByName, pages, updated, written } from '../outputs';
import { withStatistics } from '../statistics';

const qrCodeRecord = record({
	id: anInteger.described('ID of the QR code'),
	name: aText.described('Name of the QR code'),
	link: aText.described('URL of the code, which scanners open; on some hosts, URL of its image'),
	scans: anInteger.described('Number of scans'),
	date: aMoment.described('When the QR code was created'),
});

const foundCode = recordUnder('details', qrCodeRecord);

const qrType = requiredChoice(
	'QR Type',
	{ email: 'Email', link: 'Link', phone: 'Phone', sms: 'SMS', text: 'Text', vcard: 'vCard', wifi: 'Wi-Fi' },
	{ paramName: 'qrType', default: 'link', description: 'What a phone does when it scans the code' },
);

const emailExample = { example: 'name@example.com' };
const numberExample = { example: '+15550100' };

/** The fields for the data of each QR type, in a format seen in the wild: the interface document does not define it. */
const dataFields: Record<string, Case> = {
	email: group('email', {
		email: requiredText('Email', { ...emailExample, description: 'The recipient of the email' }),
		subject: text('Subject', { example: 'Your offer', description: 'The subject of the email' }),
		body: text('Message', {
			example: 'Please call me back',
			rows: 3,
			description: 'The text of the message, which the visitor can edit',
		}),
	}),
	link: required({
		...url('Link', { example: 'https://example.com/menu', description: 'The URL that the phone opens' }),
		paramName: 'qrLink',
	}),
	phone: required({
		...text('Phone Number', { ...numberExample, description: 'The number that the phone calls' }),
		paramName: 'qrPhone',
	}),
	sms: group('sms', {
		phone: requiredText('Phone Number', {
			...numberExample,
			description: 'The number that receives the message',
		}),
		message: text('Message', {
			example: 'Count me in',
			rows: 3,
			description: 'The text of the message, which the visitor can edit',
		}),
	}),
	text: requiredText('Text', {
		paramName: 'qrText',
		example: 'Table 12',
		rows: 3,
		description: 'The text that the phone shows',
	}),
	vcard: group('vcard', {
		fname: requiredText('First Name', { example: 'Ada', description: 'First name of the contact' }),
		lname: text('Last Name', { example: 'Example', description: 'Last name of the contact' }),
		phone: text('Phone Number', { ...numberExample, description: 'Phone number of the contact' }),
		email: text('Email', { ...emailExample, description: 'Email address of the contact' }),
		site: text('Website', {
			example: 'https://example.com',
			description: 'Website of the contact',
		}),
	}),
	wifi: group('wifi', {
		ssid: requiredText('Network Name', {
			example: 'Guests',
			description: 'The network that the phone joins',
		}),
		encryption: choice(
			'Encryption',
			{ nopass: 'None', wep: 'WEP', wpa: 'WPA/WPA2' },
			{ default: 'wpa', description: 'How the network is protected' },
		),
		pass: text('Network Password', {
			secret: true,
			example: 'welcome',
			description: 'The password of the network; everyone who scans the code can see it',
		}),
	}),
};

const dataSource = requiredChoice(
	'Specify Data',
	{ fields: 'Using Fields Below', json: 'Using JSON' },
	{ paramName: 'dataSource', default: 'fields', description: 'How to enter the data of the code' },
);

const enteredData = dependent(dataSource, {
	fields: dependent(qrType, dataFields),
	json: required(
		json('Data (JSON)', {
			paramName: 'qrData',
			example: '{ "ssid": "Guests" }',
			description:
				'The data in the service’s format for this type: text in quotes, or an object such as { "ssid": "Guests" }',
		}),
	),
});

/** The form shows Specify Data between the type and the fields of that type. */
const data: Field = {
	...enteredData,
	label: 'the data of the code',
	properties: (name) => [...dataSource.properties('dataSource'), ...enteredData.properties(name)],
};

const appearance = {
	name: text('Name', { example: 'Menu, table 12', description: 'The name of the code in lists' }),
	background: color('Background Color', 'rgb', {
		default: '#ffffff',
		description: 'Must be the lighter color, or phones may not read the code',
	}),
	foreground: color('Foreground Color', 'rgb', {
		default: '#000000',
		description: 'The color of the squares',
	}),
	logo: text('Logo', {
		example: 'https://example.com/logo.png',
		description: 'Path or URL of a PNG or JPG image to show in the center',
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
			description: 'Create a QR code for a link, text, contact, message or network',
			params: {
				image: choice('Download Image', IMAGE_FORMATS, {
					paramName: 'imageFormat',
					default: 'png',
					description: 'The format of the image, returned in the binary field data',
				}),
			},
			body: { type: qrType, data, ...appearance },
			existing: existingByName,
			output: created(written(qrCodeRecord), { scans: 0 }),
			attach: async ({ params }, code, api) => {
				if (!params.image) return {};
				const image = code.link && (await settled(qrImage(code, params.image, api)));
				if (image && 'value' in image) return { binary: { data: image.value } };
				// The QR code exists, so a missing image is no failure.
				api.hint(`The image of QR code ${toText(code.id ?? 'without ID')} could not be downloaded`);
				return {};
			},
		}),
		delete: operation('DELETE /api/qr/{id}/delete', {
			description: 'Delete a QR code, which then leads nowhere',
			path: { id: qrCodeId },
			output: deleted,
		}),
		download: operation('GET /api/qr/{id}', {
			description: 'Get the image of a QR code as a file, without counting a scan',
			isExtra: true,
			path: { id: qrCodeId },
			params: {
				imageFormat: alwaysShown(
					choice('Image Format', IMAGE_FORMATS, {
						default: 'png',
						description: 'PNG for screens and emails, SVG for print; some hosts have no SVG',
					}),
				),
				size: advanced(
					integer('Image Width', {
						min: 1,
						default: 1000,
						description: 'The width of the image in pixels; some hosts return another width',
					}),
				),
				binaryField: alwaysShown(
					text('Put Output File in Field', {
						paramName: 'binaryPropertyName',
						default: 'data',
						description: 'The binary field of the output item for the image',
					}),
				),
			},
			output: foundCode,
			present: async ({ path, params }, response, api) => {
				const { imageFormat = 'png', binaryField = 'data', size } = params;
				const result = await api.resultIn(response);
				const code = foundCode.select(response, path) as IDataObject;
				return [{ ...result, binary: { [binaryField]: await qrImage(code, imageFormat, api, size) } }];
			},
		}),
		get: operation('GET /api/qr/{id}', {
			description: 'Get a QR code with the statistics of its scans',
			path: { id: qrCodeId },
			...withStatistics(qrCodeRecord, 'scans'),
		}),
		getAll: operation('GET /api/qr', {
			description: 'List the QR codes with their number of scans',
			paging: pages('qrs'),
			output: listedRecord(qrCodeRecord),
		}),
		update: operation('PUT /api/qr/{id}/update', {
			description: 'Change a QR code’s type, name or colors; its data is required, and replaced as a whole',
			idempotent: true,
			path: { id: qrCodeId },
			// The interface document has no type in updates; hosts take it (seen in the wild).
			body: { type: qrType, data, ...appearance },
			output: updated(qrCodeRecord),
		}),
	},
);
