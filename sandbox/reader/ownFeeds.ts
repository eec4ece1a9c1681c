import type { PublishedStory, PublishedStoryStore } from '../../feeds/builtin/index.ts';
import type { Queries } from '../storage/queries.ts';

/** Keeps what control calls publish into built-in feeds, over restarts on the same file. */
export function publishedStories(db: Queries): PublishedStoryStore {
	return {
		load: () =>
			db
				.all<{ story: string }>('SELECT story FROM reader_published')
				.map(({ story }) => JSON.parse(story) as PublishedStory),
		save: (story) => {
			db.run(
				'INSERT INTO reader_published VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET story = excluded.story',
				story.feed,
				story.guid,
				JSON.stringify(story),
			);
		},
	};
}
