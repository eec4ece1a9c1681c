/** Creates records in the link account of a new playground, so that every example returns data at its first run. */
import { CommandError } from '../scripts/command.ts';

const articles = ['https://example.com/autumn-walks', 'https://example.com/slow-bread'];
const countries = ['Germany', 'Kenya', 'Germany'];

/** Creates a channel with clicked links, and a scanned QR code, unless the account has QR codes. @throws CommandError */
export async function fillLinks(linksUrl: string): Promise<void> {
	const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
		const response = await fetch(linksUrl + path, {
			method,
			headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const reply = (await response.json()) as Record<string, unknown>;
		if (Number(reply.error) === 0) return reply;
		throw new CommandError(`The sandbox refused ${method} ${path}: ${JSON.stringify(reply)}`);
	};
	const visit = async (kind: 'qr' | 'url', address: unknown, country: string) =>
		await ask('POST', '/sandbox/visits', { kind, code: String(address).split('/').at(-1), country });

	const { data } = await ask('GET', '/api/qr?limit=1');
	if (Number((data as { result: unknown }).result) > 0) return;
	const channel = await ask('POST', '/api/channel/add', { name: 'Newsletter' });
	for (const url of articles) {
		const link = await ask('POST', '/api/url/add', { url });
		await ask('POST', `/api/channel/${String(channel.id)}/assign/links/${String(link.id)}`);
		await visit('url', link.shorturl, 'France');
	}
	const code = await ask('POST', '/api/qr/add', {
		type: 'link',
		name: 'Menu at the door',
		data: 'https://example.com/menu',
	});
	for (const country of countries) await visit('qr', code.link, country);
}
