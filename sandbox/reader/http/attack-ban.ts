import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Reader } from '../reader.ts';

const banMs = 24 * 3_600_000;
/** Number of bytes of a body that are checked. */
const bodyLength = 8192;

/** Patterns that the service treats as attacks, anywhere in a request. */
const attacks = [
	/\$\s*\{/,
	/<\s*script/i,
	/javascript\s*:/i,
	/on(error|load|click|mouseover)\s*=/i,
	/union\s+(all\s+)?select/i,
	/['"]\s*or\s*['"\d].*=/is,
	/;\s*drop\s+table/i,
	/'\s*;\s*--/,
	/\.\.\/\.\.\//,
	/\0|%00/,
];

/** Bans IP addresses for a day after a request that looks like an attack. */
export class AddressBans {
	readonly #reader: Reader;
	readonly #until = new Map<string, number>();

	constructor(reader: Reader) {
		this.#reader = reader;
	}

	/** Whether a request is rejected because its IP address is banned. Bans it if the request looks like an attack. */
	refuses(request: FastifyRequest): boolean {
		const now = this.#reader.now();
		if ((this.#until.get(request.ip) ?? 0) > now) return true;
		if (!textsOf(request).some((text) => attacks.some((attack) => attack.test(text)))) return false;
		this.#until.set(request.ip, now + banMs);
		return true;
	}

	lift(): void {
		this.#until.clear();
	}
}

/** Rejects requests that look like an attack, before any route. */
export function rejectAttacks(app: FastifyInstance, reader: Reader, bans: AddressBans): void {
	if (!reader.is2026) return;
	app.addHook('preHandler', async (request, reply) => {
		if (!bans.refuses(request)) return undefined;
		return reply
			.code(403)
			.type('text/json')
			.send(JSON.stringify({ error: 'Forbidden', code: -1 }));
	});
}

/** URL and body, encoded and decoded. Multipart forms are not checked. */
function textsOf({ url, body, method }: FastifyRequest): string[] {
	const sent = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : '';
	const texts = [url, method === 'POST' ? sent.slice(0, bodyLength) : ''];
	return texts.flatMap((text) => [text, decoded(text)]);
}

function decoded(text: string): string {
	return text
		.replaceAll('+', ' ')
		.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}
