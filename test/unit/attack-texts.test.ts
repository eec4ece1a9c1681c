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
	expect(attackIn({ method: 'GET', path })).toMatchObject({ name: 'path', text: match });
});

it('finds a match in the name of a parameter', () => {
	expect(attackIn(post({ first: 'x', '<script': 'y' }))).toEqual({ name: '<script', text: '<script' });
});

it('finds a match that spans two parameters, like the service', () => {
	expect(attackIn(post({ a: "it's 'or' 5", b: 'x' }))).toMatchObject({ name: 'a' });
});

it.each(['A script about unions', 'Select onions; drop the table', 'x or y = z', '$5 {ok}', '../up'])(
	'ignores %j',
	(text) => expect(attackIn(post({ comments: text }))).toBeUndefined(),
);

it('ignores what the service ignores: files, and everything after the first 8 KB of a form', () => {
	expect(attackIn(post({ comments: '<script', file: new Blob(['x']) }))).toBeUndefined();
	const form = (length: number) => post({ c: `${'x'.repeat(length)}<script` });
	const encoded = 'c=%3Cscript'.length;
	expect(attackIn(form(8192 - encoded))).toMatchObject({ name: 'c' });
	expect(attackIn(form(8192 - encoded + 1))).toBeUndefined();
});

it('quotes thirty characters of a long match', () => {
	const text = `javascript${' '.repeat(100)}:`;
	expect(attackIn(post({ comments: text }))?.text).toBe(text.slice(0, 30));
});

it('are not sent unless a credential allows it', () => {
	expect(suspiciousTexts.default).toBe(false);
});

it('reports the parameter’s label, the match and the fix', () => {
	const labelOf = (name: string): string | undefined => (name === 'query' ? 'Search' : undefined);
	const request: ApiRequest = {
		method: 'GET',
		path: '/x',
		query: { query: 'JavaScript: The Good Parts' },
		labelOf,
	};
	expect(attackFailure(request)).toMatchObject({
		message: 'Search contains "JavaScript:", which the service takes for an attack',
		description: expect.stringContaining('Send Suspicious Texts') as string,
	});
});
