/** What all credentials share: the defaults of their form, time limits, and responses that say nothing about them. */
import {
	BUSY,
	FAILS,
	REDIRECTED,
	connectionFields,
	inconclusive,
	isOn,
	loginLimitOf,
	timeLimitOf,
} from '../../nodes/runtime/credential';

it('checks certificates, waits five minutes and allows writes by default', () => {
	const defaults = connectionFields.map(({ name, default: initial }) => [name, initial]);
	expect(Object.fromEntries(defaults)).toEqual({ ignoreSSLIssues: false, timeout: 300, readOnly: false });
});

it.each([
	['', 300_000],
	[0, 300_000],
	[0.001, 1],
	['7', 7000],
	[1.0005, 1001],
	[2_147_453.647, 2_147_453_647],
	[2_147_453.648, 2_147_453_647],
	[Infinity, 2_147_453_647],
])('a request with a Timeout of %j s may take %i ms', (timeout, ms) => {
	expect(timeLimitOf({ timeout })).toBe(ms);
});

it.each([
	[29.999, 29_999],
	[30, 30_000],
	[30.001, 30_000],
])('a login with a Timeout of %d s may take %i ms', (timeout, ms) => {
	expect(loginLimitOf({ timeout })).toBe(ms);
});

it.each([
	[true, true],
	['true', true],
	['on', true],
	[1, true],
	[false, false],
	['false', false],
	['0', false],
	['', false],
	[undefined, false],
])('a switch with the value %j is on: %s', (value, expected) => {
	expect(isOn(value)).toBe(expected);
});

it('explains each status that says nothing about the credential', () => {
	const messages = {
		...{ 301: REDIRECTED, 302: REDIRECTED, 303: REDIRECTED, 307: REDIRECTED, 308: REDIRECTED },
		...{ 429: BUSY, 500: FAILS, 502: FAILS, 503: FAILS, 504: FAILS },
	};
	expect(inconclusive.statuses).toEqual(Object.keys(messages).map(Number));
	const rules = inconclusive.rules.map(({ properties: { value, message } }) => [value, message]);
	expect(Object.fromEntries(rules)).toEqual(messages);
});
