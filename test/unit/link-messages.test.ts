/** The link service's messages in errors. */
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { linkManager } from '../../nodes/LinkManager/service';
import { responseWith } from '../support/cases/response';

const labels: Record<string, string> = { custom: 'Alias', url: 'URL' };
const request: ApiRequest = { method: 'POST', path: '/api/url/add', labelOf: (name) => labels[name] };

const messageOf = (json: object): string | undefined =>
	linkManager.errorIn(responseWith(json), request)?.message;

it.each([
	['The **custom** must be unique', 'The **custom** (Alias) must be unique'],
	[
		'The custom field is taken, the url field too',
		'The custom field (Alias) is taken, the url field (URL) too',
	],
	['The **color** and the other field are wrong', 'The **color** and the other field are wrong'],
])('adds the parameter labels to %j', (message, expected) => {
	expect(messageOf({ error: 1, message })).toBe(expected);
});

it.each([
	[{ error: 1, message: { custom: ['Too long', 'Taken'], url: 'Missing' } }, /Too long.*Taken.*Missing/],
	[{ error: 2 }, /^The service refused the request \(error 2\) and gave no reason$/],
	[{ error: '1', message: 'No' }, /^No$/],
	[{ message: 'No' }, /^No$/],
])('joins %j to one sentence', (json, expected) => {
	expect(messageOf(json)).toMatch(expected);
});

it.each([{ error: 0 }, { error: '0' }, { error: false }])('treats %j as a success', (json) => {
	expect(messageOf(json)).toBeUndefined();
});
