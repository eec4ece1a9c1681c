import { Rejection } from '../http/response.ts';
import { write, type Call, type Route } from '../http/reader-route.ts';
import { starredCounts } from '../stories/starred-counts.ts';

/** Tags of saved stories, which the reader of 2026 can rename and delete. */

const longestTag = 128;

function renameTag(call: Call): object {
	const [old, wanted] = [call.parameters.text('old_tag_name'), call.parameters.text('new_tag_name')];
	if (!old || !wanted) throw new Rejection('Missing old_tag_name or new_tag_name.');
	if (wanted.length > longestTag)
		throw new Rejection(`new_tag_name is longer than ${longestTag} characters.`);
	const known = tagsOf(call).find((tag) => tag !== old && tag.toLowerCase() === wanted.toLowerCase());
	return changeTags(call, old, known ?? wanted);
}

function deleteTag(call: Call): object {
	const tag = call.parameters.text('tag_name');
	if (!tag) throw new Rejection('Missing tag_name.');
	return changeTags(call, tag, undefined);
}

function tagsOf({ db, user }: Call): string[] {
	return db
		.all<{ value: string }>(
			'SELECT DISTINCT value FROM reader_starred, json_each(reader_starred.tags) WHERE user_id = ?',
			user.id,
		)
		.map(({ value }) => value);
}

/** Replaces or removes a tag of all saved stories; keeps the stories. */
function changeTags(call: Call, old: string, wanted: string | undefined): object {
	const { db, user } = call;
	const rows = db.all<{ story_id: number; tags: string }>(
		'SELECT story_id, tags FROM reader_starred WHERE user_id = ?',
		user.id,
	);
	db.transaction(() => {
		for (const { story_id, tags } of rows) {
			const before = JSON.parse(tags) as string[];
			const after = before.flatMap((tag) => (tag === old ? (wanted ?? []) : tag));
			if (!before.includes(old)) continue;
			db.run(
				'UPDATE reader_starred SET tags = ? WHERE user_id = ? AND story_id = ?',
				JSON.stringify([...new Set(after)]),
				user.id,
				story_id,
			);
		}
	});
	return { code: 1, starred_counts: starredCounts(call.reader, call.user) };
}

export const starredTagRoutes: readonly Route[] = [
	write('/reader/rename_starred_tag', renameTag),
	write('/reader/delete_starred_tag', deleteTag),
];
