import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../shared/html.ts';
import { notice, sendPage } from '../../shared/page-layout.ts';
import { addresses } from '../public-addresses.ts';
import type { LinkContext } from '../context.ts';
import { contentOf } from '../qr/content.ts';
import type { QrData } from '../qr/data.ts';
import { qrPng, qrSvg } from '../qr/image.ts';
import type { QrRow } from '../tables.ts';
import { countVisit } from '../visits.ts';
import { notFoundPage, redirect } from './short-links.ts';
import { readVisit } from './visit.ts';

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
