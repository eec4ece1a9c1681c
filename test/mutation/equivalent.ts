const HEIGHT = 'The height of an input field changes no behavior.';

/** Mutations without an effect, with the reason. The key consists of file, line of code, and change. */
export const EQUIVALENT: Record<string, string> = {
	'nodes/runtime/transport/window.ts | if (remaining > limit / 2 || this.roomFoundIn === window) return 0; | 67: 0 → 0 + 1':
		'Both are moments long past.',
	'nodes/NewsReader/model/opml.ts | const start = String.fromCharCode(...bytes.subarray(0, 200)); | 56: 200 → 200 + 1':
		'A declaration is within the first hundred bytes.',
	'nodes/NewsReader/triggers/newest-first-reading.ts | return lastAt > lateFrom || pages.flat().some((entry) => hasJoined(entry, this.cursor)); | 16: > → >=':
		'If an entry is as old to the millisecond, one more page is read, and it holds nothing new.',
	'nodes/NewsReader/model/unread.ts | const ofFeeds = feeds && feeds.size <= MOST_FEEDS ? { feed_id: [...feeds] } : {}; | 37: <= → <':
		'For exactly that many feeds, both lists hold all unread stories.',
	"nodes/NewsReader/service.ts | const isList = method === 'GET' && status < 300 && !isRecord(json); | 45: 300 → 300 + 1":
		'Status 300 is a redirect, which is handled earlier.',
	'nodes/runtime/poll/step.ts | if (events.length === 0 || instance === moment.instance || withinMs <= 0) return false; | 72: 0 → 0 + 1':
		'The setting is in minutes.',
	'nodes/LinkManager/triggers/known-records.ts | (a, b) => (identity.increasingId(a) ?? 0) - (identity.increasingId(b) ?? 0), | 41: 0 → 0 + 1':
		'IDs begin with 1, and records without an ID keep their order.',
	'nodes/NewsReader/model/keep-counts-fresh.ts | const isOverdue = now - state.countedAt > KEPT_UP_MS; | 41: > → >=':
		'One millisecond makes no difference here.',
	'nodes/LinkManager/resources/qr-code.ts | rows: 3, | 9: 3 → 3 + 1': HEIGHT,
	"nodes/runtime/fields/kinds.ts | field(label, { type: 'string', default: '', typeOptions: { rows: 3 } }, options, (raw, error) => { | 66: 3 → 3 + 1":
		HEIGHT,
	'nodes/runtime/poll/poll.ts | const MAX_WAIT_MS = 10_000; | 20: 10_000 → 10000 + 1':
		'One millisecond of ten seconds makes no difference.',
	'nodes/runtime/transport/window.ts | const isLate = now >= momentIn(window, LATE); | 21: >= → >':
		'One millisecond makes no difference here.',
	'nodes/runtime/credential.ts | const MOST_ADDRESSES = 100; | 23: 100 → 100 + 1':
		'The number of kept addresses is not visible.',
	'nodes/NewsReader/triggers/chunks.ts | const middle = Math.ceil(chunk.length / 2); | 42: 2 → 2 + 1':
		'Where a list is parted makes a difference only to how many requests it takes.',
	'nodes/runtime/execute/item.ts | return { ...result, json: typed.length > 0 ? redactedDeep(masked, typed) : masked }; | 42: > → >=':
		'Without typed secrets, nothing is masked.',
	'nodes/NewsReader/triggers/shares.ts | const { records } = await api.page(user.operations.getAll, 1); | 60: 1 → 1 + 1':
		'This list is one page, whatever its number.',
	'nodes/NewsReader/model/keep-counts-fresh.ts | if (clock.uptime() < state.nextFeedCountAt) return; | 20: < → <=':
		'One millisecond makes no difference here.',
	'nodes/NewsReader/resources/comment.ts | rows: 3, | 10: 3 → 3 + 1': HEIGHT,
	'nodes/NewsReader/resources/profile.ts | rows: 3, | 8: 3 → 3 + 1': HEIGHT,
	'nodes/NewsReader/resources/saved-story.ts | rows: 3, | 11: 3 → 3 + 1': HEIGHT,
	'nodes/NewsReader/resources/share.ts | rows: 3, | 12: 3 → 3 + 1': HEIGHT,
	'nodes/NewsReader/resources/subscription-list.ts | rows: 6, | 10: 6 → 6 + 1': HEIGHT,
	'nodes/NewsReader/model/unread-counts.ts | export const LONGEST_WAIT_MS = 10_000; | 31: 10_000 → 10000 + 1':
		'One millisecond of ten seconds makes no difference.',
	"nodes/LinkManager/triggers/known-records.ts | return count < known.count ? 'lowered' : 'counted'; | 14: < → <=":
		'Equal counts are handled by the line before.',
	'nodes/NewsReader/triggers/hash-dates.ts | if (oldest === 0) return undefined; | 16: 0 → 0 + 1':
		'No story is dated to the first second of 1970.',
};
