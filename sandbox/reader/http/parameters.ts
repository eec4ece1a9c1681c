import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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

/** Parses the parameters of a request like the service: the query of a GET, the form of a POST. */
export class Parameters {
	readonly #fields: URLSearchParams;
	readonly #files: ReadonlyMap<string, Buffer>;

	constructor(fields: URLSearchParams, files: ReadonlyMap<string, Buffer> = new Map()) {
		this.#fields = fields;
		this.#files = files;
	}

	/** The last value of a parameter; undefined if it is missing. */
	text(name: string): string | undefined {
		return this.#fields.getAll(name).at(-1) ?? this.#fields.getAll(`${name}[]`).at(-1);
	}

	/** All values of `name` and `name[]` that are not blank. */
	list(name: string): string[] {
		return [...this.#fields.getAll(name), ...this.#fields.getAll(`${name}[]`)].filter(
			(value) => value !== '',
		);
	}

	/** All values of exactly this name, including blank ones. */
	exactly(name: string): string[] {
		return this.#fields.getAll(name);
	}

	/** Absent, empty, `false` and `0` are false, everything else is true. */
	flag(name: string, absent = false): boolean {
		const value = this.text(name);
		return value === undefined ? absent : !['', 'false', '0'].includes(value.toLowerCase());
	}

	/** An integer of at least `least`; `otherwise` if it is missing or invalid. */
	integer(name: string, otherwise: number, least = 0): number {
		const value = this.text(name);
		if (value === undefined) return otherwise;
		return isInteger(value) && Number(value) >= least ? Number(value) : otherwise;
	}

	/** The integers of a list; skips other values, including ids of share feeds (`social:12`). */
	integers(name: string): number[] {
		return this.list(name)
			.map((value) => value.trim())
			.filter((value) => !value.startsWith('social:') && isInteger(value))
			.map(Number);
	}

	has(name: string): boolean {
		return this.#fields.has(name) || this.#fields.has(`${name}[]`);
	}

	file(name: string): Buffer | undefined {
		return this.#files.get(name);
	}

	/** All fields, in the order of the request. */
	entries(): [string, string][] {
		return [...this.#fields];
	}
}

const isInteger = (value: string): boolean => /^\d{1,15}$/.test(value);
