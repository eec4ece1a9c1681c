import { generateRssFeed } from 'feedsmith';
import type { BuiltinStory, Publication } from './publication.ts';

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
