import { z } from 'zod/v4';
import { invalid } from './responses.ts';
import { filledText, firstProblem, object, oneOf, optional, text, textThat, webUrl } from './fields.ts';
import QRCode from 'qrcode';

const emailAddress = textThat((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address');
const phone = textThat((value) => /^\+?[\d ().-]{3,25}$/.test(value), 'must be a phone number');

/** The shape of `data` for each type, as seen on real hosts (the interface document says "a string or an array"). */
const dataByType = {
	text: filledText,
	link: webUrl,
	phone,
	email: object({ email: emailAddress, subject: optional(text), body: optional(text) }),
	sms: object({ phone, message: optional(text) }),
	wifi: object({
		ssid: filledText,
		encryption: optional(
			z.preprocess(
				(value) => (typeof value === 'string' ? value.toLowerCase() : value),
				oneOf(['wpa', 'wpa2', 'wpa3', 'wep', 'nopass', 'none', '']),
			),
		),
		pass: optional(text),
	}),
	vcard: object({
		fname: optional(text),
		lname: optional(text),
		organization: optional(text),
		phone: optional(text),
		email: optional(text),
		site: optional(text),
	}).refine((card) => Object.values(card).some((value) => value !== undefined && value !== ''), {
		message: 'must name at least one of fname, lname, organization, phone, email, site',
		path: [],
	}),
};

export type QrType = keyof typeof dataByType;
export type QrData = { [Type in QrType]: { type: Type; data: z.infer<(typeof dataByType)[Type]> } }[QrType];

export const qrTypes = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'] as const satisfies QrType[];

/** Parses `data` according to its type. @throws Failure if it is invalid */
export function readData(type: QrType, data: unknown): QrData {
	const schema: z.ZodType = dataByType[type];
	const parsed = object({ data: schema }).safeParse({ data: named(schema, data) });
	if (!parsed.success) throw invalid(firstProblem(parsed.error));
	return { type, data: parsed.data.data } as QrData;
}

/** Assigns the values of a list to the fields, in order. The interface document says only "array". */
function named(schema: z.ZodType, data: unknown): unknown {
	if (!Array.isArray(data) || !(schema instanceof z.ZodObject)) return data;
	return Object.fromEntries(Object.keys(schema.shape).map((name, index) => [name, data[index] as unknown]));
}

/** The content of a QR code: a short name for lists, the text for scanners, and the URL if it has one. */
interface QrContent {
	name: string;
	text: string;
	href?: string;
}

export function contentOf(qr: QrData): QrContent {
	switch (qr.type) {
		case 'text':
			return { name: shortened(qr.data), text: qr.data };
		case 'link':
			return { name: shortened(qr.data), text: qr.data, href: qr.data };
		case 'phone':
			return { name: qr.data, text: qr.data, href: `tel:${qr.data.replace(/[^+\d]/g, '')}` };
		case 'email': {
			const { email, subject = '', body = '' } = qr.data;
			const href = `mailto:${email}${queryOf({ subject, body })}`;
			return { name: email, text: href, href };
		}
		case 'sms': {
			const { phone, message = '' } = qr.data;
			const href = `sms:${phone.replace(/[^+\d]/g, '')}${queryOf({ body: message })}`;
			return { name: phone, text: href, href };
		}
		case 'wifi': {
			const { ssid, encryption = '', pass = '' } = qr.data;
			const security = encryption.startsWith('wpa') ? 'WPA' : encryption === 'wep' ? 'WEP' : 'nopass';
			return { name: ssid, text: `WIFI:T:${security};S:${inWifi(ssid)};P:${inWifi(pass)};;` };
		}
		case 'vcard': {
			const card = qr.data;
			const fullName = [card.fname, card.lname].filter(Boolean).join(' ');
			const lines = [
				'BEGIN:VCARD',
				'VERSION:3.0',
				`N:${inCard(card.lname ?? '')};${inCard(card.fname ?? '')};;;`,
				`FN:${inCard(fullName)}`,
				card.organization && `ORG:${inCard(card.organization)}`,
				card.phone && `TEL:${inCard(card.phone)}`,
				card.email && `EMAIL:${inCard(card.email)}`,
				card.site && `URL:${inCard(card.site)}`,
				'END:VCARD',
			];
			return { name: fullName || (card.organization ?? 'vCard'), text: lines.filter(Boolean).join('\n') };
		}
	}
}

const shortened = (text: string) => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

/** Escapes special characters of a vCard (RFC 2426). */
const inCard = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** Escapes special characters of a Wi-Fi text. */
const inWifi = (text: string) => text.replace(/[\\;,:"]/g, '\\$&');

function queryOf(values: Record<string, string>): string {
	const filled = Object.entries(values).filter(([, value]) => value !== '');
	return filled.length === 0
		? ''
		: `?${filled.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** The design of a QR code: colors as `rgb(r,g,b)`. Logos are not drawn. */
interface QrLook {
	background: string;
	foreground: string;
}

const pixels = 600;
const margin = 2;

const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

export function isRgb(color: string): boolean {
	const parts = rgb.exec(color)?.slice(1);
	return parts !== undefined && parts.every((part) => Number(part) <= 255);
}

function hexOf(color: string): string {
	const parts = rgb.exec(color)?.slice(1) ?? [];
	return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

const optionsOf = (look: QrLook) => ({
	margin,
	width: pixels,
	color: { dark: hexOf(look.foreground), light: hexOf(look.background) },
});

/** Draws the QR code of a text as SVG. */
export function qrSvg(text: string, look: QrLook): Promise<string> {
	return QRCode.toString(text, { type: 'svg', ...optionsOf(look) });
}

export function qrPng(text: string, look: QrLook): Promise<Buffer> {
	return QRCode.toBuffer(text, optionsOf(look));
}
