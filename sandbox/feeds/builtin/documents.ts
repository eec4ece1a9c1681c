import { Html, html, page } from '../../shared/html.ts';
import type { BuiltinStory, Publication } from './publication.ts';
import { publications } from './publications/index.ts';
import { generateRssFeed } from 'feedsmith';
import sharp from 'sharp';
import { numberOf } from './compose.ts';

function dateOf(story: BuiltinStory): string {
	return new Date(story.publishedAt).toISOString().slice(0, 10);
}

function head(publication: Publication): Html {
	return html`<link rel="alternate" type="application/rss+xml" title="${publication.title}" href="rss.xml" />
		<link rel="icon" type="image/png" sizes="64x64" href="favicon.png" />
		<meta name="description" content="${publication.tagline}" />`;
}

function listItem(story: BuiltinStory): Html {
	return html`<li><a href="${story.path}">${story.title}</a> <time>${dateOf(story)}</time></li>`;
}

/** `/feeds/`: the publications. */
export function feedsPage(): Html {
	const items = publications.map(
		({ slug, title, tagline }) => html`<li><a href="${slug}/">${title}</a>: ${tagline}</li>`,
	);
	return page(
		'Feeds of the sandbox',
		html`<h1>Feeds of the sandbox</h1>
			<ul>
				${items}
			</ul>`,
	);
}

/** The home page of a publication, which links to the feed and the icon in its head. */
export function homePage(publication: Publication, stories: BuiltinStory[]): Html {
	const body = html`<header>
			<h1>${publication.title}</h1>
			<p>${publication.tagline}</p>
		</header>
		<section>
			<ul>
				${stories.map(listItem)}
			</ul>
		</section>
		<footer>
			<p><a href="rss.xml">Feed</a> · <a href="../">All publications</a></p>
		</footer>`;
	return page(publication.title, body, head(publication));
}

/** The page of a story: the article between menus and advertisements. */
export function articlePage(publication: Publication, story: BuiltinStory, others: BuiltinStory[]): Html {
	const body = html`<header class="site-header">
			<a href="./">${publication.title}</a>
			<nav>
				<ul>
					<li><a href="./">Home</a></li>
					<li><a href="./">Subscribe</a></li>
					<li><a href="../">More to read</a></li>
				</ul>
			</nav>
		</header>
		<div class="cookie-banner">This site remembers nothing. <button type="button">Good</button></div>
		<section>
			<article>
				<h1>${story.title}</h1>
				<p class="byline">By ${story.authors.join(' and ') || 'our staff'}, <time>${dateOf(story)}</time></p>
				${new Html(story.content)}
			</article>
		</section>
		<aside class="sidebar">
			<h2>Most read</h2>
			<ol>
				${others.map(listItem)}
			</ol>
		</aside>
		<form class="newsletter">
			<label>Have it sent to you <input type="email" /></label><button type="button">Send</button>
		</form>
		<footer class="footer"><p>${publication.title} is an invention of the sandbox.</p></footer>
		<script>
			document.documentElement.dataset.read = 'yes';
		</script>`;
	return page(`${story.title} | ${publication.title}`, body, head(publication));
}

/** The feed document of a publication. `homeUrl` ends with a slash. */
export function rssOf(publication: Publication, homeUrl: string, stories: readonly BuiltinStory[]): string {
	const { title, tagline } = publication;
	return generateRssFeed({
		title,
		link: homeUrl,
		description: tagline,
		image: { url: `${homeUrl}favicon.png`, title, link: homeUrl },
		items: stories.map((story) => ({
			title: story.title,
			link: homeUrl + story.path,
			description: story.excerpt,
			guid: { value: story.guid, isPermaLink: false },
			pubDate: new Date(story.publishedAt),
			categories: story.tags.map((name) => ({ name })),
			dc: { creators: story.authors },
			...(publication.carries === 'everything' && { content: { encoded: story.content } }),
			...(story.picture && {
				media: { contents: [{ url: homeUrl + story.picture, type: 'image/png', medium: 'image' }] },
			}),
		})),
	});
}

/** Draws a landscape of a few shapes, different for every name. */
export function picturePng({ slug, color }: Publication, name: string): Promise<Buffer> {
	const part = (what: string, from: number, to: number) =>
		from + Math.floor((numberOf(`${slug}/${name}/${what}`) / 2 ** 32) * (to - from));
	const hue = part('hue', 0, 360);
	const hill = (what: string, light: number) => {
		const left = part(`${what}/left`, 160, 320);
		const peak = part(`${what}/peak`, 120, 300);
		const right = part(`${what}/right`, 160, 320);
		return `<path d="M0 ${left} Q320 ${peak} 640 ${right} V360 H0 Z" fill="hsl(${hue} 35% ${light}%)" />`;
	};
	return toPng(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360">
	<rect width="640" height="360" fill="hsl(${hue} 45% 82%)" />
	<circle cx="${part('x', 60, 580)}" cy="${part('y', 50, 150)}" r="${part('r', 20, 60)}" fill="#${color}" />
	${hill('far', 60)}
	${hill('near', 40)}
</svg>`);
}

/** Draws a tile in the publication's color with a distinct symbol. */
export function iconPng({ slug, color }: Publication): Promise<Buffer> {
	const turn = numberOf(`${slug}/icon`) % 90;
	return toPng(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
	<rect width="64" height="64" rx="12" fill="#${color}" />
	<rect x="20" y="20" width="24" height="24" rx="4" fill="#ffffff" transform="rotate(${turn} 32 32)" />
</svg>`);
}

function toPng(svg: string): Promise<Buffer> {
	return sharp(Buffer.from(svg)).png().toBuffer();
}
