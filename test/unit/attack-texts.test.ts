/** Texts that the News Reader's service blocks as attacks: which are found, where, and the error for them. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { attackFailure, attackIn, suspiciousTexts } from '../../nodes/NewsReader/attack-texts';

const post = (body: Record<string, unknown>): ApiRequest => ({ method: 'POST', path: '/reader/x', body });

it.each([
	['${name}', '${'],
	['$ {name}', '$ {'],
	['<SCRIPT src=x>', '<SCRIPT'],
	['JavaScript: The Good Parts', 'JavaScript:'],
	['<img onerror = x>', 'onerror ='],
	['<a onload="x" >', 'onload='],
	['onClick=x', 'onClick='],
	['onmouseover =x', 'onmouseover ='],
	["' or '1'='1", "' or '"],
	['" OR 1=1', '" OR 1'],
	['UNION ALL SELECT', 'UNION ALL SELECT'],
	['union select', 'union select'],
	["x'; --", "'; --"],
	['; drop table x', '; drop table'],
	['../../etc', '../../'],
	['a%00b', '%00'],
])('finds %j in the body, the query and the path', (text, match) => {
	expect(attackIn(post({ comments: text }))).toMatchObject({ name: 'comments', text: match });
	expect(attackIn({ method: 'GET', path: '/reader/x', query: { query: text } })).toMatchObject({
		name: 'query',
	});
	const path = `/reader/${encodeURIComponent(text)}`;
	expect(attackIn({ method: 'GET', path })).toMatchObject({ name: 'Path', text: match });
});

it.each([
	['${name}', '${'],
	['onload', 'onload='],
])('finds %j in the name of a parameter', (name, match) => {
	expect(attackIn(post({ [name]: 'x' }))).toMatchObject({ name, text: match });
});

it('finds a quoted or before the equals sign of the next parameter', () => {
	expect(attackIn(post({ a: "it's 'or' 5", b: 'x' }))).toMatchObject({ name: 'a' });
	expect(attackIn(post({ a: "it's 'or' 5" }))).toBeUndefined();
});

it.each(['A script about unions', 'Select onions; drop the table', 'x or y = z', '$5 {ok}', '../up'])(
	'ignores %j',
	(text) => expect(attackIn(post({ comments: text }))).toBeUndefined(),
);

it('ignores files', () => {
	expect(attackIn(post({ file: new Blob(['<script']) }))).toBeUndefined();
});

it('are not sent unless a credential allows it', () => {
	expect(suspiciousTexts.default).toBe(false);
});

it('reports the parameter’s label, the match and the fix', () => {
	const request: ApiRequest = {
		method: 'GET',
		path: '/x',
		query: { query: 'JavaScript: The Good Parts' },
		labels: { query: 'Search' },
	};
	expect(attackFailure(request)).toMatchObject({
		message: 'Search contains "JavaScript:", which the service takes for an attack',
		description: expect.stringContaining('Send Suspicious Texts') as string,
	});
});

it('names the parameter whose text is in the path', () => {
	const request: ApiRequest = {
		method: 'GET',
		path: '/social/rss/2/%3Cscript',
		labels: { user_id: 'User', username: 'User Name' },
	};
	expect(attackFailure(request)?.message).toMatch(/^User Name contains/);
});
