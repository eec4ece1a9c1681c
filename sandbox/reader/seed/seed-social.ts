import { builtinFeedList } from '../../feeds/builtin/index.ts';
import { userByName } from '../accounts/users.ts';
import { feedByAddress } from '../fetching/catalog.ts';
import type { Reader } from '../reader.ts';
import { follow } from '../social/relations.ts';
import { addReply, likeComment, shareStory } from '../social/sharing.ts';
import type { Queries } from '../storage/queries.ts';
import type { StoryRow, UserRow } from '../storage/rows.ts';
import { findStories } from '../stories/find.ts';
import { saveStory } from '../stories/saving.ts';

const friendsComments = ['Worth the time.', 'I had to read this twice.', ''];
const savedWith: readonly { tags: string[]; highlights: string[] }[] = [
	{ tags: ['later'], highlights: [] },
	{ tags: ['later', 'ideas'], highlights: [] },
	{ tags: [], highlights: ['a sentence worth keeping'] },
];

/** Whether the initial content was already created. */
export function isSeeded(db: Queries): boolean {
	return db.get(`SELECT 1 FROM reader_facts WHERE name = 'seeded'`) !== undefined;
}

/** Creates shares, comments and likes of two accounts, so that every social endpoint returns data. */
export function seedSocial(reader: Reader): void {
	const [owner, friend] = [userByName(reader.db, 'reader'), userByName(reader.db, 'friend')];
	const stories = newestStories(reader, owner);
	if (owner === undefined || friend === undefined) return;
	reader.db.transaction(() => {
		reader.db.run(`INSERT INTO reader_facts VALUES ('seeded', '1')`);
		follow(reader, owner, friend);
		follow(reader, friend, owner);
		friendsComments.forEach((comment, index) => {
			const story = stories[index];
			if (story) shareStory(reader, friend, story, comment, null);
		});
		const own = stories[friendsComments.length];
		if (own) {
			const share = shareStory(reader, owner, own, 'My favourite of the week.', null);
			addReply(reader, friend, share, own, 'Mine too.');
			likeComment(reader, friend, share, own);
		}
		savedWith.forEach((saved, index) => {
			const story = stories[index + 1];
			if (story) saveStory(reader, owner, story, { ...saved, notes: null });
		});
	});
}

/** The newest story of each built-in feed. */
function newestStories(reader: Reader, viewer: UserRow | undefined): StoryRow[] {
	if (viewer === undefined) return [];
	return builtinFeedList(reader.origin).flatMap(({ url }) => {
		const feed = feedByAddress(reader.db, url);
		if (feed === undefined) return [];
		return findStories(reader, viewer, {
			feedIds: [feed.id],
			filter: 'all',
			oldestFirst: false,
			limit: 1,
			offset: 0,
		});
	});
}
