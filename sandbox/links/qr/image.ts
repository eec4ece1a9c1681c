import QRCode from 'qrcode';
import sharp from 'sharp';

/** The design of a QR code: colors as `rgb(r,g,b)`, the logo as PNG. */
interface QrLook {
	background: string;
	foreground: string;
	logo: Uint8Array | null;
}

const pixels = 600;
const margin = 2;
/** Share of the image's width, small enough for the error correction to restore what the logo hides. */
const logoShare = 0.22;

const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

export function isRgb(color: string): boolean {
	const parts = rgb.exec(color)?.slice(1);
	return parts !== undefined && parts.every((part) => Number(part) <= 255);
}

function hexOf(color: string): string {
	const parts = rgb.exec(color)?.slice(1) ?? [];
	return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Draws the QR code of a text as SVG, with the logo in the middle. */
export async function qrSvg(text: string, look: QrLook): Promise<string> {
	const errorCorrectionLevel = look.logo === null ? 'M' : 'H';
	const svg = await QRCode.toString(text, {
		type: 'svg',
		errorCorrectionLevel,
		margin,
		width: pixels,
		color: { dark: hexOf(look.foreground), light: hexOf(look.background) },
	});
	if (look.logo === null) return svg;
	const width = QRCode.create(text, { errorCorrectionLevel }).modules.size + 2 * margin;
	const size = width * logoShare;
	const start = (width - size) / 2;
	const href = `data:image/png;base64,${Buffer.from(look.logo).toString('base64')}`;
	const logo =
		`<rect x="${start}" y="${start}" width="${size}" height="${size}" fill="${hexOf(look.background)}"/>` +
		`<image x="${start + 0.5}" y="${start + 0.5}" width="${size - 1}" height="${size - 1}" href="${href}"/>`;
	return svg.replace('</svg>', `${logo}</svg>`);
}

export async function qrPng(text: string, look: QrLook): Promise<Buffer> {
	return sharp(Buffer.from(await qrSvg(text, look)))
		.png()
		.toBuffer();
}
