import { html, type Html } from '../shared/html.ts';
import { addresses } from './public-addresses.ts';
import type { LinkContext } from './context.ts';
import type { AccountRow, OwnedTable } from './tables.ts';

/** Maximum number of records of each kind on the overview page. */
const shown = 10;

const kinds: { table: OwnedTable; label: string }[] = [
	{ table: 'urls', label: 'Short links' },
	{ table: 'qrs', label: 'QR codes' },
	{ table: 'campaigns', label: 'Campaigns' },
	{ table: 'channels', label: 'Channels' },
	{ table: 'pixels', label: 'Pixels' },
	{ table: 'domains', label: 'Domains' },
];

/** The accounts with the number of their records, and their newest short links and QR codes. */
export function overview(context: LinkContext): Html {
	const accounts = context.store
		.list('accounts')
		.filter(({ expires }) => expires > context.now())
		.reverse();
	return html`<h2>Link service</h2>
		<p>Base URL <code>${context.baseUrl}</code></p>
		${accounts.map((account) => accountCard(context, account))}`;
}

function accountCard(context: LinkContext, account: AccountRow): Html {
	const { store } = context;
	const where = { account_id: account.id };
	const counts = kinds.map(({ table, label }) => `${label} ${store.count(table, { where })}`);
	const newest = { limit: shown, offset: 0 };
	const links = store.list('urls', { where }, newest).map((url) => {
		const address = addresses.shortUrl(context, url);
		return row(html`<a href="${address}">${address}</a>`, url.title || url.longurl, url.clicks);
	});
	const codes = store.list('qrs', { where }, newest).map((qr) => {
		const image = html`<img class="qr" alt="QR code" src="${addresses.qrImage(context, qr, 'svg')}" />`;
		return row(html`<a href="${addresses.qrLink(context, qr)}">${image}</a>`, qr.name, qr.clicks);
	});
	return html`<section class="card">
		<strong>${account.username}</strong> <span class="quiet">API key <code>${account.api_key}</code></span>
		<p class="quiet">${counts.join(' · ')}</p>
		<table>
			${links}${codes}
		</table>
	</section>`;
}

const row = (link: Html, title: string, visits: number): Html =>
	html`<tr>
		<td>${link}</td>
		<td>${title}</td>
		<td class="number">${visits}</td>
	</tr>`;
