/** Arbitrary responses: the News Reader never breaks, and returns nothing that was not in the response. */
import fc from 'fast-check';
import { parametersFrom } from '../support/cases/parameters';
import { cases, type Case } from '../support/cases/reader-cases';
import { fixedResponses } from '../support/cases/reader-cases/vocabulary';
import { NODE, runReader, SESSION, sessionCredential } from '../support/nodes/reader-node';
import {
	anyNumber,
	anyReply,
	type AnyReply,
	expectClearError,
	leavesOf,
	parseBody,
} from '../support/hosts/any-reply';
import { useFakeHost } from '../support/hosts/use-fake-host';
import type { Reply } from '../support/hosts/fake-host';
import { draws } from '../support/cases/random';

/** Few for each operation, as they are many: together three hundred. */
const RUNS = 4;

const world = useFakeHost();

/** Keys that answers of this service have, and some that no object should trip over. */
const keys = [
	...[
		'id',
		'feed_id',
		'feed_title',
		'story_hash',
		'story_timestamp',
		'story_date',
		'story_content',
		'story_tags',
	],
	...['user_id', 'username', 'comments', 'replies', 'reply_id', 'date', 'favicon', 'ps', 'code', 'message'],
	...['42', '77', 'tag', 'count', 'query', 'feed_address', '__proto__', 'constructor', 'toString'],
];
const anyRecord = fc.dictionary(fc.constantFrom(...keys), fc.oneof(anyNumber, fc.jsonValue()));
const anyList = fc.oneof(
	{ weight: 4, arbitrary: fc.array(anyRecord, { maxLength: 4 }) },
	{ weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...keys), anyRecord) },
	{ weight: 1, arbitrary: fc.array(fc.jsonValue(), { maxLength: 3 }) },
	{ weight: 1, arbitrary: fc.jsonValue() },
);
const anyCode = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(1, 0, '1') },
	{ weight: 2, arbitrary: fc.constantFrom(-1, '-1', 2, null, {}, { toString: 1 }) },
	{ weight: 1, arbitrary: fc.jsonValue() },
);

/** Bodies that look like the service's own, with anything where something else is expected. */
const likeTheService = fc
	.record(
		{
			code: anyCode,
			authenticated: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, fc.jsonValue()),
			result: fc.constantFrom('ok', 'ok', 'error', null),
			message: fc.oneof(fc.string(), fc.jsonValue()),
			errors: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(null, []) }, fc.jsonValue()),
			stories: anyList,
			feeds: anyList,
			folders: anyList,
			profiles: anyList,
			comments: anyList,
			activities: anyList,
			interactions: anyList,
			starred_story_hashes: anyList,
			unread_feed_story_hashes: anyList,
			following_profiles: anyList,
			follower_profiles: anyList,
			user_profile: anyRecord,
			comment: fc.oneof(anyRecord, fc.jsonValue()),
			story: fc.oneof(anyRecord, fc.jsonValue()),
			feed: fc.oneof(anyRecord, fc.jsonValue()),
			payload: fc.oneof(anyRecord, fc.jsonValue()),
			// Seldom above nothing: the list then goes on to the last page there is.
			hidden_stories_removed: fc.oneof(
				{ weight: 30, arbitrary: fc.constantFrom(0, '0', null, 'x', -1) },
				{ weight: 1, arbitrary: anyNumber },
			),
			has_next_page: fc.oneof(fc.constant(false), fc.jsonValue()),
			original_text: fc.oneof(fc.string(), fc.jsonValue()),
		},
		{ requiredKeys: [] },
	)
	.chain((body) => anyRecord.map((more) => ({ ...more, ...body })));

/** Every text, number and key of a value, and the parts of folder paths. */
const words = (value: unknown): string[] => {
	if (typeof value !== 'object' || value === null)
		return leavesOf(value).flatMap((leaf) => [leaf, leaf.trim()]);
	return [
		...Object.keys(value),
		...Object.keys(value).map((key) => key.trim()),
		...Object.values(value).flatMap(words),
	];
};

/** What the node says of its own: flags, counts of a list, a moment or an icon in its other spelling. */
const isOwnWord = (leaf: string): boolean =>
	['true', 'false', 'null', '', '***', '0', '1', '2', '3', '4', 'like', 'dislike'].includes(leaf) ||
	/^\d{4}-\d\d-\d\dT|^[+-]\d{6}-|^data:image\/png;base64,/.test(leaf);

/** Whether an answer says that nothing was done, or that it is somebody else's. */
function isRefusal(reply: AnyReply, response: unknown, { row }: Case): boolean {
	if (reply.status >= 300) return true;
	if (typeof response !== 'object' || response === null || Array.isArray(response)) return false;
	const { code, authenticated, result } = response as Record<string, unknown>;
	const ofSessions = ['/api/logout', '/api/signup'].includes(row.template);
	return (
		(typeof code === 'number' && code < 0) || result === 'error' || (authenticated === false && !ofSessions)
	);
}

const login: Reply = {
	headers: { 'set-cookie': 'reader_sessionid=another-session; Path=/' },
	body: { code: 1, errors: null, result: 'ok', authenticated: true, user_id: 7 },
};
const bodyText = (body: unknown): string =>
	typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : String(body);

let accounts = 0;

it.each(cases.map((of): [string, Case] => [`${of.resource}.${of.operation}`, of]))('%s', async (_, of) => {
	const { form, calls } = of.item(0, 'wild');
	const parameters = {
		...parametersFrom(world.engine.nodeType(NODE).description, of, Object.keys(form)),
		...of.fixed,
		...(of.row.output.shape?.offersSimplify && { simplify: false }),
		options: { maximumWait: 5 },
	};
	await fc.assert(
		fc.asyncProperty(anyReply(likeTheService), async (reply) => {
			world.host.respond = ({ method, path }) => {
				if (path === '/api/login') return login;
				const aside = method === 'GET' && of.alsoReads?.find((look) => look === path);
				return aside ? { body: fixedResponses[aside] } : reply;
			};
			// Each run has an account of its own: what one learns of a session or a limit is nothing to the next.
			const username = `account-${(accounts += 1)}`;
			const credentials = sessionCredential(world.host.baseUrl, { username, sessionToken: SESSION });
			const run = await runReader(world.engine, parameters, [{ form }], { credentials });
			const response = parseBody(reply.body);
			if (run.error) return expectClearError(run.error as Error, SESSION, 'another-session');
			expect(isRefusal(reply, response, of)).toBe(false);
			const given = new Set(
				[response, form, calls.map(({ path, body }) => [path, body]), bodyText(reply.body)].flatMap(words),
			);
			const invented = run
				.json('News Reader')
				.flatMap(leavesOf)
				.flatMap((leaf) => (given.has(leaf) ? [] : leaf.split(/ \/ | - /)))
				.filter((part) => !given.has(part) && !isOwnWord(part));
			expect(invented).toEqual([]);
		}),
		{ ...draws(RUNS), endOnFailure: true },
	);
});
