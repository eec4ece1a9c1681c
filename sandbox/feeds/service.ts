import type { DatabaseSync } from 'node:sqlite';
import { html } from '../shared/html.ts';
import type { Service } from '../shared/service.ts';
import {
	builtinFeedList,
	builtinFeeds,
	type PublishedStory,
	type PublishedStoryStore,
} from './builtin/index.ts';

/** Keeps the stories published by control calls in the sandbox's database. */
function storeIn(db: DatabaseSync): PublishedStoryStore {
	db.exec(
		'CREATE TABLE IF NOT EXISTS feeds_published (feed TEXT, guid TEXT, story TEXT, PRIMARY KEY (feed, guid))',
	);
	const all = db.prepare('SELECT story FROM feeds_published ORDER BY rowid');
	const put = db.prepare('INSERT OR REPLACE INTO feeds_published (feed, guid, story) VALUES (?, ?, ?)');
	return {
		load: () => all.all().map((row): PublishedStory => JSON.parse(String(row.story))),
		save: (story) => {
			put.run(story.feed, story.guid, JSON.stringify(story));
		},
	};
}

/** The sandbox's own feeds as a service: a row for `sandbox/services.ts`, before the news reader that subscribes to them. */
export const feedService: Service = {
	name: 'feeds',
	title: 'Feeds of the sandbox',
	prefix: '',
	differences: [],
	help: [
		'Ten feeds with pages of their own under /feeds/; POST /sandbox/feeds/SLUG/publish adds a story to one.',
	],
	async start(app, { db, clock, origin }) {
		await app.register(builtinFeeds, { clock, origin, store: storeIn(db) });
		const items = builtinFeedList(origin).map(
			({ title, url }) => html`<li><a href="${url}">${title}</a></li>`,
		);
		return {
			overview: () =>
				html`<section>
					<h2>Feeds of the sandbox</h2>
					<p><a href="/feeds/">Their pages</a></p>
					<ul>
						${items}
					</ul>
				</section>`,
		};
	},
};
