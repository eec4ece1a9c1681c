import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, notice, sendPage } from '../shared/html.ts';
import type { LinkContext } from './context.ts';
import { settingsOf, type UrlRow, type QrRow } from './tables.ts';
import { parseTimestamp } from './fields.ts';
import { countVisit, readVisit } from './visits.ts';
import { addresses } from './public-addresses.ts';
import { contentOf, type QrData, qrPng, qrSvg } from './qr.ts';
import sharp from 'sharp';

export const notFoundPage = notice('Nothing here', html`<p>There is no such page, or it was deleted.</p>`);

/** Redirects short links. Rules, passwords, splash pages and overlays are stored, but have no effect. */
export function serveShortLinks(app: FastifyInstance, context: LinkContext): void {
	app.get<{ Params: { alias: string } }>('/s/:alias', (request, reply) => {
		// The service's own domain finds only links without a branded domain.
		const url = context.store.find('urls', { alias: request.params.alias });
		return url === undefined || url.domain_id !== null
			? sendPage(reply, notFoundPage, 404)
			: visit(context, url, request, reply);
	});
}

/** Counts the visit, and redirects to the target. An expired link is not found. */
function visit(
	context: LinkContext,
	url: UrlRow,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const { expiry = '', parameters = [] } = settingsOf(url);
	if (parseTimestamp(expiry) <= context.clock.now()) return sendPage(reply, notFoundPage, 404);
	if (request.method !== 'HEAD') countVisit(context, 'urls', url, readVisit(request.headers, request.ip));
	const target = new URL(url.longurl);
	for (const { name, value } of parameters) target.searchParams.append(name, value);
	return redirect(reply, parameters.length === 0 ? url.longurl : target.href);
}

/** Redirects without caching, so that every visit is counted. A header holds ASCII only. */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
	const inAscii = address.replace(/[^ -~]+/g, encodeURIComponent);
	return reply.header('cache-control', 'no-store').redirect(inAscii, 302);
}

interface CodeRoute {
	Params: { code: string };
}

export function serveQrCodes(app: FastifyInstance, context: LinkContext): void {
	const isImage = context.differs('image-link');
	const serve = (
		path: string,
		handle: (reply: FastifyReply, qr: QrRow, request: FastifyRequest) => unknown,
	) =>
		app.get<CodeRoute>(path, async (request, reply) => {
			const qr = context.store.find('qrs', { code: request.params.code });
			if (qr === undefined) return sendPage(reply, notFoundPage, 404);
			await handle(reply, qr, request);
			return reply;
		});
	const png = async (reply: FastifyReply, qr: QrRow) =>
		reply.type('image/png').send(await qrPng(addresses.qrScanned(context, qr), qr));
	const svg = async (reply: FastifyReply, qr: QrRow) =>
		reply.type('image/svg+xml').send(await qrSvg(addresses.qrScanned(context, qr), qr));

	serve(isImage ? '/q/:code' : '/qr/:code', (reply, qr, request) => scan(context, reply, qr, request));
	if (isImage) serve('/qr/:code', png);
	serve('/qr/:code/image.png', png);
	serve('/qr/:code/image.svg', svg);
	if (isImage) return;
	serve('/qr/:code/download/png/:width', png);
	serve('/qr/:code/download/svg/:width', svg);
}

/** Counts a scan, then redirects to the content of the code or shows it. */
function scan(context: LinkContext, reply: FastifyReply, qr: QrRow, request: FastifyRequest): FastifyReply {
	if (request.method !== 'HEAD') countVisit(context, 'qrs', qr, readVisit(request.headers, request.ip));
	const content = contentOf(dataOf(qr));
	if (qr.type === 'link' && content.href !== undefined) return redirect(reply, content.href);
	const open = content.href !== undefined && html`<p><a class="button" href="${content.href}">Open</a></p>`;
	return sendPage(
		reply,
		notice(
			content.name,
			html`<pre>${content.text}</pre>
				${open}`,
		),
	);
}

function dataOf(qr: QrRow): QrData {
	return { type: qr.type, data: JSON.parse(qr.data) } as QrData;
}

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
