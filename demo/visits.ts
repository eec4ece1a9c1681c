/** Visits short links and QR codes. Does not follow redirects, so that no request leaves this machine. */
import { CommandError } from '../scripts/command.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The redirect target of a URL of the sandbox. */
export async function redirectOf(url: string): Promise<string> {
	const response = await fetch(url, { redirect: 'manual', headers: { 'user-agent': browser } });
	await response.body?.cancel();
	const location = response.headers.get('location');
	if (location === null) throw new CommandError(`${url} answers ${response.status} and leads nowhere.`);
	return new URL(location, url).href;
}

/**
 * Visits a short URL that must lead to `url` with UTM tags.
 *
 * @returns the target
 */
export async function visitShortUrl(shortUrl: string, url: string): Promise<string> {
	const target = await redirectOf(shortUrl);
	const isTagged = new URL(target).searchParams.get('utm_source') !== null;
	if (isTagged && withoutTags(target) === new URL(url).href) return target;
	throw new CommandError(`${shortUrl} leads to ${target}, not to ${url} with UTM tags.`);
}

function withoutTags(url: string): string {
	const plain = new URL(url);
	for (const name of [...plain.searchParams.keys()]) {
		if (name.startsWith('utm_')) plain.searchParams.delete(name);
	}
	return plain.href;
}
