import QRCode from 'qrcode';

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
