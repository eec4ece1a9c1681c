import type { DatabaseSync } from 'node:sqlite';
import { builtinFeeds, type PublishedStory, type PublishedStoryStore } from '../feeds/builtin/index.ts';
import { html } from '../shared/html.ts';
import { isSince } from '../shared/options.ts';
import type { Service } from '../shared/service.ts';

/** The sandbox's built-in feeds, under `/feeds`; control endpoints under `/sandbox/feeds`. */
export const ownFeedsService: Service = {
	name: 'feeds',
	title: 'Feeds of the sandbox itself',
	prefix: '',
	differences: [],
	help: [
		'POST /sandbox/feeds/<slug>/publish {"title"?, "content"?, "tags"?, "author"?}, /pace {"every"}, /break, /repair.',
	],
	async start(app, { db, clock, origin, options }) {
		const sharedReports = isSince(options.variant, '2026');
		await app.register(builtinFeeds, { clock, origin, store: publishedStories(db), sharedReports });
		return {
			overview: () =>
				html`<h2>Feeds</h2>
					<p><a href="${origin}/feeds/">The feeds the sandbox serves itself</a></p>`,
		};
	},
};

/** Stores the stories that control requests publish in the data file. */
function publishedStories(db: DatabaseSync): PublishedStoryStore {
	db.exec(
		'CREATE TABLE IF NOT EXISTS feeds_published (feed TEXT, guid TEXT, story TEXT NOT NULL, PRIMARY KEY (feed, guid)) STRICT',
	);
	return {
		load: () =>
			db
				.prepare('SELECT story FROM feeds_published ORDER BY rowid')
				.all()
				.map(({ story }) => JSON.parse(String(story)) as PublishedStory),
		save: (story) => {
			db.prepare(
				'INSERT INTO feeds_published VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET story = excluded.story',
			).run(story.feed, story.guid, JSON.stringify(story));
		},
	};
}
