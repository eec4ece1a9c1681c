/** Demonstrates workflows/scheduled-links.json: creates links, visits them, and runs again without duplicates. */
import type { INodeExecutionData } from 'n8n-workflow';
import { CommandError } from '../scripts/command.ts';
import type { Engine, RunResult } from '../engine/index.ts';
import { readReadingList, withReadingList, type Article, type ReadingList } from './reading-list.ts';
import { cut, printTable, runAndReport } from './report.ts';
import { redirectOf, visitShortUrl } from './visits.ts';
import { readWorkflow } from './workflows.ts';

interface ArticleLink {
	article: Article;
	shortUrl: string;
	qrUrl: string;
}

/** Requires an account without short links. @throws CommandError if a result is not as expected */
export async function demonstrateScheduledLinks(engine: Engine): Promise<void> {
	const list = await readReadingList();
	const workflow = withReadingList(await readWorkflow('scheduled-links'), list);

	const first = await runAndReport(engine, workflow, `"${workflow.name}" runs on n8n's engine:`);
	const articleLinks = articleLinksOf(first, list);
	if (articleLinks.length !== list.articles.length) {
		throw new CommandError(
			`${articleLinks.length} short links were created for ${list.articles.length} articles.`,
		);
	}
	printTable(
		['Article', 'Channel', 'Short URL', 'QR code'],
		articleLinks.map(({ article, shortUrl, qrUrl }) => [
			cut(article.title, 34),
			article.channel,
			shortUrl,
			qrUrl.slice(qrUrl.indexOf('/qr/')),
		]),
	);

	const targets = await Promise.all(articleLinks.map(visit));
	console.log(`All ${articleLinks.length} short URLs and QR codes respond. The first three lead to:`);
	for (const [index, { shortUrl }] of articleLinks.slice(0, 3).entries())
		console.log(`  ${shortUrl}\n    → ${targets[index]}`);

	const second = await runAndReport(engine, workflow, '\nThe next morning it runs again:');
	const existed = second.json('Short Link').filter((link) => link.existed === true).length;
	const listed = second.json('List Links');
	const clicks = listed.reduce((sum, link) => sum + Number(link.clicks), 0);
	console.log(
		`${existed} short links existed already, nothing was created twice; ${clicks} visits were counted.`,
	);
	const ids = new Set(listed.map(({ id }) => id));
	if (existed !== articleLinks.length || ids.size !== articleLinks.length || clicks !== articleLinks.length) {
		throw new CommandError(
			`The second run should have found ${articleLinks.length} links with one visit each.`,
		);
	}
}

/** Joins the output of the nodes to one row per article, by item pairing. */
function articleLinksOf(result: RunResult, { articles }: ReadingList): ArticleLink[] {
	const links = result.items('Short Link');
	const qrUrls = new Map(result.items('QR Code').map((code) => [origin(code), String(code.json.link)]));
	return links.map((link) => {
		const index = origin(link);
		const article = articles[index];
		const qrUrl = qrUrls.get(index);
		if (!article || !qrUrl)
			throw new CommandError(`Short link ${link.json.shortUrl} has no article or no QR code.`);
		return { article, shortUrl: String(link.json.shortUrl), qrUrl };
	});
}

/** The index of the previous node's item that an item is paired with. */
function origin({ pairedItem }: INodeExecutionData): number {
	if (typeof pairedItem !== 'object' || Array.isArray(pairedItem))
		throw new CommandError('An item lost its pairing.');
	return pairedItem.item;
}

/** Visits the short URL and the URL of the QR code. @returns the target of the short URL */
async function visit({ article, shortUrl, qrUrl }: ArticleLink): Promise<string> {
	const target = await visitShortUrl(shortUrl, article.url);
	const scanned = await redirectOf(qrUrl);
	if (scanned === shortUrl) return target;
	throw new CommandError(`The QR code ${qrUrl} leads to ${scanned}, not to ${shortUrl}.`);
}
