import { Html, html } from '../../shared/html.ts';
import { page } from '../../shared/page-layout.ts';
import type { BuiltinStory, Publication } from './publication.ts';
import { publications } from './publications/index.ts';

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
