import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { html } from '../../shared/html.ts';
import { sendPage } from '../../shared/page-layout.ts';
import { notFoundPage } from './short-links.ts';

/** The service's images: a letter on a colored background. */
const images = new Map([
	['avatar', { letter: 'S', color: '#0b62c4' }],
	['link', { letter: 'L', color: '#2f7d4f' }],
	['bio', { letter: 'B', color: '#8a4bb0' }],
]);

export function serveAssets(app: FastifyInstance): void {
	app.get<{ Params: { name: string } }>('/assets/:name.png', async (request, reply) => {
		const image = images.get(request.params.name);
		if (image === undefined) return sendPage(reply, notFoundPage, 404);
		const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="256" height="256">
			<rect width="100" height="100" rx="18" fill="${image.color}" />
			<text x="50" y="72" font-family="sans-serif" font-size="62" text-anchor="middle" fill="#fff">
				${image.letter}
			</text>
		</svg>`;
		return reply.type('image/png').send(await sharp(Buffer.from(svg.text)).png().toBuffer());
	});
}
