import { cleanHtml } from '../../feeds/html.ts';
import { html, Html } from '../../shared/html.ts';
import { Document, type RouteResponse } from '../http/response.ts';
import type { Call } from '../http/reader-route.ts';
import type { UserRow } from '../storage/queries.ts';
import { userById } from '../accounts.ts';
import type { CommentRecord } from '../social/comments.ts';

/** Responses to `format=html`: HTML fragments instead of records. */

function nameOf(call: Call, userId: number): string {
	return userById(call.db, userId)?.username ?? 'somebody';
}

/** A comment or reply on a page; the links that real hosts put into it work there. */
function commentText({ reader }: Call, text: string): Html | string {
	return new Html(cleanHtml(text, reader.baseUrl).html);
}

export function commentFragment(call: Call, comment: CommentRecord): Html {
	return html`<article class="comment" id="comment-${comment.id}">
		<p><strong>${nameOf(call, comment.user_id)}</strong>, ${comment.shared_date} ago</p>
		<p>${commentText(call, comment.comments)}</p>
		<ul class="replies">
			${comment.replies.map(
				(reply) =>
					html`<li id="reply-${reply.reply_id}">
						<strong>${nameOf(call, reply.user_id)}</strong>, ${reply.publish_date} ago:
						${commentText(call, reply.comments)}
					</li>`,
			)}
		</ul>
	</article>`;
}

export interface ShownEvent {
	category: string;
	title: string | null;
	content: string | null;
	time_since: string;
	with_user_id: number | null;
}

export function eventsFragment(call: Call, owner: UserRow, events: readonly ShownEvent[]): Html {
	return html`<ol class="events">
		${events.map(
			(event) =>
				html`<li class="${event.category}">
					${event.with_user_id === null ? owner.username : nameOf(call, event.with_user_id)}:
					${event.category.replaceAll('_', ' ')} ${event.title} ${event.content} (${event.time_since} ago)
				</li>`,
		)}
	</ol>`;
}

/** The record, or its HTML fragment if requested. */
export function inFormat(call: Call, record: object, fragment: () => Html): RouteResponse {
	return call.wantsHtml ? Document.html(fragment()) : record;
}
