import { fractionalDate, spanText } from '../format-date.ts';
import type { Reader } from '../reader.ts';
import { inList, type ReplyRow, type ShareRow } from '../storage/queries.ts';

const tags = /<(?:!--[\s\S]*?--|[!?/]?[a-z][^>]*)>/gi;
const addresses =
	/\b(?:(?:[\w-]+):\/{1,3}|www\.)(?:(?:[^\s()])*[^!"#$%&'()*+,.:;<=>?@[\]^`{|}~\s]|\([^\s()]*\))+/g;

/** Removes HTML tags from a text, if any; then `&b=2` becomes `&b;=2`, as on real hosts. */
export function withoutTags(text: string): string {
	const plain = text.replace(tags, '');
	return plain === text ? text : plain.replace(/&([a-z][-.a-z0-9]*)(?=[^-.a-z0-9;])/gi, '&$1;');
}

/** A comment or reply for the database: on real hosts without tags, and with URLs as links. */
export function keptComment(text: string): string {
	return withoutTags(text).replace(addresses, (address) => {
		const protocol = /^([\w-]+):\//.exec(address)?.[1];
		if (protocol !== undefined && protocol !== 'http' && protocol !== 'https') return address;
		return `<a href="${protocol === undefined ? 'http://' : ''}${address}">${address}</a>`;
	});
}

/** Comments: shares with a text, which can have replies. */
export interface CommentRecord {
	id: string;
	user_id: number;
	comments: string;
	shared_date: string;
	date: string;
	replies: ReplyRecord[];
	liking_users: number[];
	source_user_id: number | null;
}

interface ReplyRecord {
	reply_id: string;
	user_id: number;
	publish_date: string;
	date: string;
	comments: string;
}

/** Comments by share id. */
export function commentRecords(reader: Reader, shares: readonly ShareRow[]): Map<string, CommentRecord> {
	const now = reader.now();
	const ids = inList(shares.map(({ id }) => id));
	const records = new Map(
		shares.map((share): [string, CommentRecord] => [
			share.id,
			{
				id: share.id,
				user_id: share.user_id,
				comments: share.comments,
				shared_date: spanText(now - share.shared_at),
				date: fractionalDate(share.shared_at),
				replies: [],
				liking_users: [],
				source_user_id: share.source_user_id,
			},
		]),
	);
	for (const reply of reader.db.all<ReplyRow>(
		`SELECT * FROM reader_replies WHERE share_id IN (SELECT value FROM json_each(?)) ORDER BY published_at, id`,
		ids,
	)) {
		records.get(reply.share_id)?.replies.push({
			reply_id: reply.id,
			user_id: reply.user_id,
			publish_date: spanText(now - reply.published_at),
			date: fractionalDate(reply.published_at),
			comments: reply.comments,
		});
	}
	for (const like of reader.db.all<{ share_id: string; user_id: number }>(
		'SELECT * FROM reader_likes WHERE share_id IN (SELECT value FROM json_each(?)) ORDER BY user_id',
		ids,
	)) {
		records.get(like.share_id)?.liking_users.push(like.user_id);
	}
	return records;
}

/** All users in a comment: author, repliers, likers, and the user it was shared from. */
export function peopleIn(comments: Iterable<CommentRecord>): number[] {
	return [...comments].flatMap((comment) => [
		comment.user_id,
		...comment.replies.map((reply) => reply.user_id),
		...comment.liking_users,
		...(comment.source_user_id === null ? [] : [comment.source_user_id]),
	]);
}
