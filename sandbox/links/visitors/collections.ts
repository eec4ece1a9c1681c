import type { FastifyInstance } from 'fastify';
import { html } from '../../shared/html.ts';
import { notice, page, sendPage } from '../../shared/page-layout.ts';
import { addresses } from '../public-addresses.ts';
import type { LinkContext } from '../context.ts';
import { settingsOf, type UrlRow } from '../tables.ts';
import { parseTimestamp } from '../timestamps.ts';
import { notFoundPage } from './visitor-pages.ts';
import { leadTo } from './short-links.ts';

/** Pages with several links: a campaign's rotator and its list, and bio pages. */
export function serveCollections(app: FastifyInstance, context: LinkContext): void {
	const { store } = context;

	app.get<{ Params: { slug: string } }>('/r/:slug', (request, reply) => {
		const campaign = store.find('campaigns', { slug: request.params.slug });
		const next = campaign === undefined ? undefined : leastVisited(context, campaign.id);
		return next === undefined
			? sendPage(reply, notFoundPage, 404)
			: leadTo(reply, addresses.shortUrl(context, next));
	});

	app.get<{ Params: { username: string; list: string } }>('/u/:username/:list', (request, reply) => {
		const [, id] = /-(\d{1,15})$/.exec(request.params.list) ?? [];
		const owner = store.find('accounts', { username: request.params.username });
		const campaign = id === undefined ? undefined : store.find('campaigns', { id: Number(id) });
		if (
			owner === undefined ||
			campaign === undefined ||
			campaign.account_id !== owner.id ||
			campaign.public === 0
		) {
			return sendPage(reply, notFoundPage, 404);
		}
		const links = store
			.list('urls', { where: { campaign_id: campaign.id } })
			.filter((url) => settingsOf(url).status !== 'private');
		const rows = links.map((url) => {
			const address = addresses.shortUrl(context, url);
			return html`<li>
				<a href="${address}">${url.title || address}</a><br /><span class="quiet">${url.description}</span>
			</li>`;
		});
		const body =
			rows.length === 0
				? html`<p>No links yet.</p>`
				: html`<ul>
						${rows}
					</ul>`;
		return sendPage(
			reply,
			page(
				campaign.name,
				html`<h1>${campaign.name}</h1>
					${body}`,
			),
		);
	});

	app.get<{ Params: { slug: string } }>('/b/:slug', (request, reply) => {
		const bio = store.find('bios', { slug: request.params.slug });
		return bio === undefined
			? sendPage(reply, notFoundPage, 404)
			: sendPage(reply, notice(bio.name, html`<p>${bio.text}</p>`));
	});
}

/** The campaign's link with the fewest clicks, so that the rotator is even; of several, the oldest. Excludes expired links. */
function leastVisited({ store, clock }: LinkContext, campaign_id: number): UrlRow | undefined {
	const links = store
		.list('urls', { where: { campaign_id } })
		.filter((url) => !(parseTimestamp(settingsOf(url).expiry ?? '') <= clock.now()));
	return links.sort((a, b) => a.clicks - b.clicks || a.id - b.id)[0];
}
