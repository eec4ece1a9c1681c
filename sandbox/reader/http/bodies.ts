import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Parameters } from './parameters.ts';

const bodyLimit = 20 * 1024 * 1024;

/** Parses forms of both kinds. Like real hosts, ignores other bodies, even JSON. */
export async function readForms(app: FastifyInstance): Promise<void> {
	app.removeAllContentTypeParsers();
	await app.register(multipart, { limits: { fieldSize: bodyLimit, fileSize: bodyLimit, fields: 100_000 } });
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string', bodyLimit },
		(_request, body, done) => done(null, new URLSearchParams(String(body))),
	);
	app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));
}

export function queryParameters(request: FastifyRequest): Parameters {
	return new Parameters(new URL(request.url, 'http://localhost').searchParams);
}

export async function formParameters(request: FastifyRequest): Promise<Parameters> {
	if (!request.isMultipart()) {
		return new Parameters(request.body instanceof URLSearchParams ? request.body : new URLSearchParams());
	}
	const fields = new URLSearchParams();
	const files = new Map<string, Buffer>();
	for await (const part of request.parts()) {
		if (part.type === 'file') files.set(part.fieldname, await part.toBuffer());
		else fields.append(part.fieldname, String(part.value));
	}
	return new Parameters(fields, files);
}
