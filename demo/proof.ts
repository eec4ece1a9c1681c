/** What the workflow made, and whether it answers as a visitor expects. */
import type { INodeExecutionData } from 'n8n-workflow';
import { DemoError } from './failure.ts';
import type { RunResult } from './engine.ts';
import type { Article, ReadingList } from './reading-list.ts';

export interface Made {
	article: Article;
	shortUrl: string;
	qrUrl: string;
}

/** One row per article, put together along the pairing of items. */
export function madeBy(result: RunResult, { articles }: ReadingList): Made[] {
	const links = result.items('Short Link');
	const fresh = result.items('New Links Only').map(origin);
	const qrUrls = new Map(
		result.items('QR Code').map((code) => [fresh[origin(code)], String(code.json.link)]),
	);
	return links.map((link) => {
		const index = origin(link);
		const article = articles[index];
		const qrUrl = qrUrls.get(index);
		if (!article || !qrUrl)
			throw new DemoError(`Short link ${link.json.shorturl} has no article or no QR code.`);
		return { article, shortUrl: String(link.json.shorturl), qrUrl };
	});
}

/** Which item of the node before an item came from. */
function origin({ pairedItem }: INodeExecutionData): number {
	if (typeof pairedItem !== 'object' || Array.isArray(pairedItem))
		throw new DemoError('An item lost its pairing.');
	return pairedItem.item;
}

/**
 * Visits the short URL and the QR code's address, without leaving this machine: the redirect is read, not followed.
 *
 * @returns where the short URL leads
 */
export async function follow({ article, shortUrl, qrUrl }: Made): Promise<string> {
	const target = await redirectOf(shortUrl);
	const { searchParams } = new URL(target);
	if (withoutTags(target) !== new URL(article.url).href || searchParams.get('utm_source') === null) {
		throw new DemoError(`${shortUrl} leads to ${target}, not to ${article.url} with UTM tags.`);
	}
	const scanned = await redirectOf(qrUrl);
	if (scanned !== shortUrl)
		throw new DemoError(`The QR code ${qrUrl} leads to ${scanned}, not to ${shortUrl}.`);
	return target;
}

async function redirectOf(url: string): Promise<string> {
	const response = await fetch(url, { redirect: 'manual', headers: { 'user-agent': browser } });
	await response.body?.cancel();
	const location = response.headers.get('location');
	if (location === null) throw new DemoError(`${url} answers ${response.status} and leads nowhere.`);
	return new URL(location, url).href;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

function withoutTags(url: string): string {
	const plain = new URL(url);
	for (const name of [...plain.searchParams.keys()]) {
		if (name.startsWith('utm_')) plain.searchParams.delete(name);
	}
	return plain.href;
}
