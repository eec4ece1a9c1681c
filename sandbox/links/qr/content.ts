import type { QrData } from './data.ts';

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
