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

/** The records of the accounts, newest first. */
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
	const where = { account_id: account.id };
	const counts = kinds.map(({ table, label }) => `${label} ${context.store.count(table, { where })}`);
	return html`<section class="card">
		<strong>${account.username}</strong> <span class="quiet">API key <code>${account.api_key}</code></span>
		<p class="quiet">${counts.join(' · ')}</p>
		${urlTable(context, account)}${qrTable(context, account)}${campaignTable(context, account)}${channelTable(context, account)}
	</section>`;
}

function urlTable(context: LinkContext, { id }: AccountRow): Html {
	const urls = context.store.list('urls', { where: { account_id: id } }, { limit: shown, offset: 0 });
	const rows = urls.map((url) => {
		const address = addresses.shortUrl(context, url);
		return html`<tr>
			<td><a href="${address}">${address}</a></td>
			<td>${url.title || url.longurl}</td>
			<td class="number">${url.clicks}</td>
		</tr>`;
	});
	return tableOf([titleOf(context, id, 'urls', 'Short link'), 'Leads to', 'Clicks'], rows);
}

function qrTable(context: LinkContext, { id }: AccountRow): Html {
	const qrs = context.store.list('qrs', { where: { account_id: id } }, { limit: shown, offset: 0 });
	const rows = qrs.map((qr) => {
		const link = addresses.qrLink(context, qr);
		return html`<tr>
			<td>
				<a href="${link}"><img class="qr" alt="QR code" src="${addresses.qrImage(context, qr, 'svg')}" /></a>
			</td>
			<td>${qr.name}<br /><span class="quiet">${qr.type}</span></td>
			<td class="number">${qr.clicks}</td>
		</tr>`;
	});
	return tableOf([titleOf(context, id, 'qrs', 'QR code'), 'Name and type', 'Scans'], rows);
}

function campaignTable(context: LinkContext, account: AccountRow): Html {
	const { store } = context;
	const rows = store
		.list('campaigns', { where: { account_id: account.id } }, { limit: shown, offset: 0 })
		.map((campaign) => {
			const rotator = addresses.rotator(context, campaign);
			const list = addresses.campaignList(context, account.username, campaign);
			return html`<tr>
				<td>
					${campaign.public === 1 ? html`<a href="${list}">${campaign.name}</a>` : html`${campaign.name} <span class="quiet">(private)</span>`}
				</td>
				<td>${rotator === undefined ? 'no rotator' : html`<a href="${rotator}">${rotator}</a>`}</td>
				<td class="number">${store.count('urls', { where: { campaign_id: campaign.id } })}</td>
			</tr>`;
		});
	return tableOf([titleOf(context, account.id, 'campaigns', 'Campaign'), 'Rotator', 'Links'], rows);
}

function channelTable(context: LinkContext, { id }: AccountRow): Html {
	const { store } = context;
	const rows = store.list('channels', { where: { account_id: id } }, { limit: shown, offset: 0 }).map(
		(channel) =>
			html`<tr>
				<td>${channel.name}</td>
				<td>${channel.description}</td>
				<td class="number">${store.count('channel_items', { where: { channel_id: channel.id } })}</td>
			</tr>`,
	);
	return tableOf([titleOf(context, id, 'channels', 'Channel'), 'Description', 'Items'], rows);
}

/** The heading of a list, with counts if the list is truncated: `Short link (10 of 591)`. */
function titleOf(context: LinkContext, accountId: number, table: OwnedTable, label: string): string {
	const count = context.store.count(table, { where: { account_id: accountId } });
	return count > shown ? `${label} (${shown} of ${count})` : label;
}

/** A table whose last column has numbers; '' without rows. */
function tableOf(columns: [string, string, string], rows: Html[]): Html {
	if (rows.length === 0) return html``;
	const [first, second, last] = columns;
	return html`<div class="scroll">
		<table>
			<thead>
				<tr>
					<th>${first}</th>
					<th>${second}</th>
					<th class="number">${last}</th>
				</tr>
			</thead>
			<tbody>
				${rows}
			</tbody>
		</table>
	</div>`;
}
