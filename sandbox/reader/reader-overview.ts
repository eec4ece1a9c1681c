import { html, type Html } from '../shared/html.ts';
import { feedsIn } from './folders/tree.ts';
import { folderTree } from './folders/matching.ts';
import { shareFeedUrl, sharePageUrl } from './social/profile-records.ts';
import { starredCount, unreadCounts } from './stories/counts.ts';
import { subscribedFeeds } from './subscriptions.ts';
import type { Reader } from './reader.ts';
import type { UserRow } from './storage/queries.ts';

/** The service's part of the sandbox's overview page: the records of its accounts. */
export function overview(reader: Reader): Html {
	const users = reader.db.all<UserRow>('SELECT * FROM reader_users ORDER BY id');
	return html`<h2>News reader service</h2>
		<p>
			Base URL <code>${reader.baseUrl}</code>, users <code>reader</code> and <code>friend</code>, password
			<code>sandbox-password</code>
		</p>
		<div class="scroll">
			<table>
				<thead>
					<tr>
						<th>Account</th>
						<th class="number">Feeds</th>
						<th class="number">Unread</th>
						<th class="number">Saved</th>
						<th>Shared stories</th>
					</tr>
				</thead>
				<tbody>
					${users.map((user) => row(reader, user))}
				</tbody>
			</table>
		</div>`;
}

function row(reader: Reader, user: UserRow): Html {
	const counts = [...unreadCounts(reader, user, subscribedFeeds(reader, user)).values()];
	const unread = counts.reduce((sum, { ps, nt }) => sum + ps + nt, 0);
	return html`<tr>
		<td>${user.username}</td>
		<td class="number">${feedsIn(folderTree(reader, user)).length}</td>
		<td class="number">${unread}</td>
		<td class="number">${starredCount(reader, user)}</td>
		<td>
			<a href="${sharePageUrl(reader, user)}">page</a>, <a href="${shareFeedUrl(reader, user)}">feed</a>
			${user.is_private === 1 ? html`<span class="quiet">(private)</span>` : ''}
		</td>
	</tr>`;
}
