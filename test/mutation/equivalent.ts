/** Changes that nobody could see, with the reason. */
export const EQUIVALENT: Record<string, string> = {
	'nodes/runtime/transport/window.ts | if (remaining > limit / 2 || this.found === window) return 0; | 61: 0 → 0 + 1':
		'A moment long past, as the other one is.',
	'nodes/LinkManager/triggers/additions.ts | const top = page <= 1 ? highestId(this.identity, snapshot.records) : (rising ?? 0); | 82: 0 → 0 + 1':
		'Ids begin with 1: where they fall, nothing follows the record 1.',
	'nodes/LinkManager/triggers/additions.ts | const known = cursor && !cursor.isBeginning ? Math.max(cursor.through ?? 0, cursor.floor) : 0; | 94: 0 → 0 + 1':
		'Ids begin with 1: where they fall, nothing follows the record 1.',
	'nodes/NewsReader/model/opml.ts | const start = String.fromCharCode(...bytes.subarray(0, 200)); | 56: 200 → 200 + 1':
		'What is declared stands within the first hundred bytes; where exactly looking ends makes no difference.',
	'nodes/runtime/poll/poll.ts | message: `No response from ${service.name} within the ${Math.ceil(budgetMs / 1000)} s that n8n allows for a poll`, | 77: 1000 → 1000 + 1':
		'n8n gives whole seconds, and not a thousand of them: rounded up, both come to the same.',
	'nodes/NewsReader/triggers/hashComparison.ts | if (total <= MOST_GONE) return gone; | 11: <= → <':
		'Of exactly so many, as many are kept.',
	'nodes/NewsReader/triggers/newestFirstReading.ts | all.some((entry) => hasJoined(entry, cursor)) || (page.at(-1)?.at ?? -Infinity) > lateFrom; | 83: > → >=':
		'Where an entry is as old to the millisecond, one page more is read, which holds nothing new.',
	'nodes/NewsReader/model/unread.ts | const asked = feeds && feeds.size <= MOST_FEEDS ? { feed_id: [...feeds] } : {}; | 35: <= → <':
		'Of exactly so many feeds, either list holds what is unread.',
	'nodes/runtime/execute/run.ts | const value = context.getNodeParameter(parameter, item, null, { skipValidation: true }); | 82: true → false':
		'No parameter of ours leaves a check to n8n: it only takes longer.',
	"nodes/LinkManager/service.ts | if (verdict === undefined && request.method === 'GET' && answer.status < 300) return undefined; | 72: < → <=":
		'A status of 300 is a redirect, and told as that before.',
	"nodes/NewsReader/service.ts | const isList = method === 'GET' && status < 300 && !isRecord(json); | 45: 300 → 300 + 1":
		'A status of 300 is a redirect, and told as that before.',
	'nodes/runtime/description/form.ts | if (!required) return 2; | 23: 2 → 2 + 1':
		'What stands last in a form is added last: behind what has the same place.',
	"nodes/runtime/description/form.ts | if (type === 'collection') return LAST.length + 4; | 49: 4 → 4 + 1":
		'Nothing has a later place than a collection in either.',
	'nodes/runtime/poll/poll.ts | const MOST_LEVELS = 100; | 20: 100 → 100 + 1':
		'No service nests what it tells so deep: at which of these levels it is cut makes no difference.',
	'nodes/runtime/execute/item.ts | return typed.length > 0 ? redactedDeep(masked, typed) : masked; | 23: > → >=':
		'Where nothing is to be masked, masking changes nothing.',
	'nodes/runtime/execute/existing.ts | return clock.now() - this.begunAt > FRESH_MS; | 36: > → >=':
		'To the millisecond, it makes no difference how long a list is taken for fresh.',
	"nodes/NewsReader/triggers/newestFirstCursor.ts | const dates = entries.slice(0, excess).map((entry) => Number(entry.split('.')[1] ?? 0)); | 85: 0 → 0 + 1":
		'Every entry has a date, if an empty one.',
	'nodes/runtime/poll/step.ts | if (events.length === 0 || instance === moment.instance || withinMs <= 0) return false; | 72: 0 → 0 + 1':
		'It is set in minutes: no time is as short as a millisecond.',
	'nodes/LinkManager/triggers/knownRecords.ts | return [...byKey.values()].sort((a, b) => (identity.order(a) ?? 0) - (identity.order(b) ?? 0)); | 65: 0 → 0 + 1':
		'Ids begin with 1, and of records without any, what stands first stays first.',
	'nodes/LinkManager/triggers/knownRecords.ts | if (excess <= 0) return { entries: serializeKnown(known), floor }; | 12: <= → <':
		'Of exactly so many, none is dropped.',
	'nodes/NewsReader/model/keepSeen.ts | if (now - keeping.seenAt > KEPT_UP_MS) keeping.uncounted = withoutCount(asked.value); | 26: > → >=':
		'To the millisecond, it makes no difference since when counts are not kept up.',
	'nodes/NewsReader/triggers/hashComparison.ts | if (characters < 4 * MOST_GONE) return 0; | 16: < → <=':
		'Of exactly so many, no more than are not doubted can be missing.',
	'nodes/LinkManager/resources/qrCode.ts | rows: 3, | 9: 3 → 3 + 1':
		'How many lines of a text an input shows changes nothing that is done.',
	'nodes/runtime/poll/poll.ts | const MAX_WAIT_MS = 10_000; | 20: 10_000 → 10000 + 1':
		'Of ten seconds, one millisecond makes no difference.',
	'nodes/runtime/poll/poll.ts | isLasting: budgetMs >= LASTING_CONTEXT_BUDGET_MS, | 22: >= → >':
		'n8n gives five minutes, or less than one: never just one.',
	'nodes/runtime/transport/window.ts | const isLate = now >= momentIn(window, LATE); | 21: >= → >':
		'To the millisecond, it makes no difference when the end of a window begins.',
	"nodes/NewsReader/service.ts | const isExpected = status < 300 && ((request.accepts ?? 'json') !== 'json' || isList(json, request)); | 27: < → <=":
		'A status of 300 is a redirect, and told as that before.',
	'nodes/runtime/credential.ts | const MOST_ADDRESSES = 100; | 23: 100 → 100 + 1':
		'How many addresses are kept shows nowhere.',
	'nodes/runtime/transport/window.ts | private atLeast = 0; | 19: 0 → 0 + 1':
		'A window that is told in whole seconds is no shorter than one.',
	'nodes/NewsReader/triggers/hashComparison.ts | if (total <= MOST_GONE) return gone; | 5: total <= MOST_GONE → false':
		'Where there is room for all, bounding keeps all.',
	'nodes/NewsReader/triggers/storyHashes.ts | const middle = Math.ceil(entries.length / 2); | 43: 2 → 2 + 1':
		'Where a list is parted makes a difference only to how many requests it takes.',
	'nodes/runtime/transport/rate-limit.ts | if (this.blockedUntil > now) return this.blockedUntil - now; | 24: > → >=':
		'To the millisecond, a request waits for nothing then in either.',
	'nodes/runtime/transport/window.ts | const EARLIEST_MILLISECONDS = 1e11; | 30: 1e11 → 100000000000 + 1':
		'No window ends at just that moment of 1973.',
};
