import sharp from 'sharp';
import { numberOf } from './compose.ts';
import type { Publication } from './publication.ts';

/** Draws a landscape of a few shapes, different for every name. */
export function picturePng({ slug, color }: Publication, name: string): Promise<Buffer> {
	const part = (what: string, from: number, to: number) =>
		from + Math.floor((numberOf(`${slug}/${name}/${what}`) / 2 ** 32) * (to - from));
	const hue = part('hue', 0, 360);
	const hill = (what: string, light: number) => {
		const left = part(`${what}/left`, 160, 320);
		const peak = part(`${what}/peak`, 120, 300);
		const right = part(`${what}/right`, 160, 320);
		return `<path d="M0 ${left} Q320 ${peak} 640 ${right} V360 H0 Z" fill="hsl(${hue} 35% ${light}%)" />`;
	};
	return toPng(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360">
	<rect width="640" height="360" fill="hsl(${hue} 45% 82%)" />
	<circle cx="${part('x', 60, 580)}" cy="${part('y', 50, 150)}" r="${part('r', 20, 60)}" fill="#${color}" />
	${hill('far', 60)}
	${hill('near', 40)}
</svg>`);
}

/** Draws a tile in the publication's color with a distinct symbol. */
export function iconPng({ slug, color }: Publication): Promise<Buffer> {
	const turn = numberOf(`${slug}/icon`) % 90;
	return toPng(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
	<rect width="64" height="64" rx="12" fill="#${color}" />
	<rect x="20" y="20" width="24" height="24" rx="4" fill="#ffffff" transform="rotate(${turn} 32 32)" />
</svg>`);
}

function toPng(svg: string): Promise<Buffer> {
	return sharp(Buffer.from(svg)).png().toBuffer();
}
