/** Tests the News Reader with arbitrary responses: it throws only n8n's errors, and returns only values of the response. */
import fc from 'fast-check';
import { parametersFrom } from '../support/cases/parameters';
import { cases, type Case } from '../support/cases/reader-rows';
import { fixedResponses } from '../../cases/reader/vocabulary.ts';
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
import { propertyOptions } from '../support/cases/random';

/** For each operation; three hundred in total. */
const RUNS = 4;

const world = useFakeHost();

/** Keys of the service's responses, and keys that JavaScript objects inherit. */
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

/** Bodies in the format of the service, with arbitrary values in each member. */
const serviceBody = fc
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
			// Rarely positive, because the node then requests all pages.
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

/** All keys and primitive values in a value, as strings. */
const keysAndLeaves = (value: unknown): string[] => {
	if (typeof value !== 'object' || value === null)
		return leavesOf(value).flatMap((leaf) => [leaf, leaf.trim()]);
	return [
		...Object.keys(value),
		...Object.keys(value).map((key) => key.trim()),
		...Object.values(value).flatMap(keysAndLeaves),
	];
};

/** Whether the node may have added a value: a flag, a count, or a converted time or icon. */
const isAddedByNode = (leaf: string): boolean =>
	['true', 'false', 'null', '', '***', '0', '1', '2', '3', '4', 'like', 'dislike'].includes(leaf) ||
	/^\d{4}-\d\d-\d\dT|^[+-]\d{6}-|^data:image\/png;base64,/.test(leaf);

/** Whether a response is an error, or belongs to another account. */
function isRefusal(reply: AnyReply, response: unknown, { row }: Case): boolean {
	if (reply.status >= 300) return true;
	if (typeof response !== 'object' || response === null || Array.isArray(response)) return false;
	const { code, authenticated, result } = response as Record<string, unknown>;
	const isSessionCall = ['/api/logout', '/api/signup'].includes(row.template);
	return (
		(typeof code === 'number' && code < 0) ||
		result === 'error' ||
		(authenticated === false && !isSessionCall)
	);
}

const login: Reply = {
	headers: { 'set-cookie': 'reader_sessionid=another-session; Path=/' },
	body: { code: 1, errors: null, result: 'ok', authenticated: true, user_id: 7 },
};
const bodyText = (body: unknown): string =>
	typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : String(body);

let accounts = 0;

it.each(cases.map((testCase): [string, Case] => [`${testCase.resource}.${testCase.operation}`, testCase]))(
	'%s',
	async (_, testCase) => {
		const { form, calls } = testCase.item(0, 'wild');
		const parameters = {
			...parametersFrom(world.engine.nodeType(NODE).description, testCase, Object.keys(form)),
			...testCase.fixed,
			...(testCase.row.output.shape?.offersSimplify && { simplify: false }),
			options: { maximumWait: 5 },
		};
		await fc.assert(
			fc.asyncProperty(anyReply(serviceBody), async (reply) => {
				world.host.respond = ({ method, path }) => {
					if (path === '/api/login') return login;
					const background = method === 'GET' && testCase.alsoReads?.find((candidate) => candidate === path);
					return background ? { body: fixedResponses[background] } : reply;
				};
				// Each run has its own account, so the session and rate limit of one do not affect the next.
				const username = `account-${(accounts += 1)}`;
				const credentials = sessionCredential(world.host.baseUrl, { username, sessionToken: SESSION });
				const run = await runReader(world.engine, parameters, [{ form }], { credentials });
				const response = parseBody(reply.body);
				if (run.error) return expectClearError(run.error as Error, SESSION, 'another-session');
				expect(isRefusal(reply, response, testCase)).toBe(false);
				const allowed = new Set(
					[response, form, calls.map(({ path, body }) => [path, body]), bodyText(reply.body)].flatMap(
						keysAndLeaves,
					),
				);
				const invented = run
					.json('News Reader')
					.flatMap(leavesOf)
					.flatMap((leaf) => (allowed.has(leaf) ? [] : leaf.split(/ \/ | - /)))
					.filter((part) => !allowed.has(part) && !isAddedByNode(part));
				expect(invented).toEqual([]);
			}),
			{ ...propertyOptions(RUNS), endOnFailure: true },
		);
	},
);
