/** What all credentials share: the defaults of their form, time limits, and responses that say nothing about them. */
import { connectionFields, isOn, timeLimitOf } from '../../nodes/runtime/credential';

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
