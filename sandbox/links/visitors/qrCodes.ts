import type { FastifyInstance } from 'fastify';
import { html } from '../../shared/html.ts';
import { notice, sendPage } from '../../shared/page.ts';
import { addresses } from '../addresses.ts';
import type { LinkContext } from '../context.ts';
import { contentOf } from '../qr/content.ts';
import type { QrData } from '../qr/data.ts';
import { qrPng, qrSvg } from '../qr/image.ts';
import type { QrRow } from '../tables.ts';
import { countVisit } from '../visits.ts';
import { notFoundPage } from './pages.ts';
import { leadTo } from './shortLinks.ts';
import { readVisitor } from './visitor.ts';

interface CodeRoute {
	Params: { code: string };
}

export function serveQrCodes(app: FastifyInstance, context: LinkContext): void {
	app.get<CodeRoute>('/qr/:code', (request, reply) => {
		const qr = context.store.find('qrs', { code: request.params.code });
		if (qr === undefined) return sendPage(reply, notFoundPage, 404);
		const visitor = readVisitor(request.headers, request.ip);
		if (request.method !== 'HEAD' && !visitor.isPreview) countVisit(context, 'qrs', qr, visitor.visit);
		const content = contentOf(dataOf(qr));
		if (qr.type === 'link' && content.href !== undefined) return leadTo(reply, content.href);
		const open = content.href !== undefined && html`<p><a class="button" href="${content.href}">Open</a></p>`;
		return sendPage(
			reply,
			notice(
				content.name,
				html`<pre>${content.text}</pre>
					${open}`,
			),
		);
	});

	app.get<CodeRoute>('/qr/:code/image.png', async (request, reply) => {
		const qr = context.store.find('qrs', { code: request.params.code });
		if (qr === undefined) return sendPage(reply, notFoundPage, 404);
		return reply.type('image/png').send(await qrPng(addresses.qrLink(context, qr), qr));
	});

	app.get<CodeRoute>('/qr/:code/image.svg', async (request, reply) => {
		const qr = context.store.find('qrs', { code: request.params.code });
		if (qr === undefined) return sendPage(reply, notFoundPage, 404);
		return reply.type('image/svg+xml').send(await qrSvg(addresses.qrLink(context, qr), qr));
	});
}

function dataOf(qr: QrRow): QrData {
	return { type: qr.type, data: JSON.parse(qr.data) } as QrData;
}
