import { Fault, tokenNeeded, type RouteResponse } from '../http/response.ts';
import { read, type Call, type Route } from '../http/reader-route.ts';

/** Shared code of the automation endpoints: JSON requests and responses, an access token or a session, any method. */

type Fields = Record<string, unknown>;

/** Defines an endpoint under `/oauth`; seen on real hosts. */
export const automation = (path: string, answer: (call: Call) => object | Promise<object>): Route => ({
	...read(path, (call): RouteResponse | Promise<RouteResponse> =>
		call.authenticated ? answer(call) : tokenNeeded('text/html; charset=utf-8'),
	),
	access: 'open',
});

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null;
}

/** The body of a request, and its fields under `name`. Without them, fails with an internal error like real hosts. */
export function bodyWith(
	call: Call,
	name: 'triggerFields' | 'actionFields',
): { body: Fields; fields: Fields } {
	try {
		const body: unknown = JSON.parse(call.body);
		if (isFields(body) && isFields(body[name])) return { body, fields: body[name] };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new Fault(`The body has no ${name}.`, 500);
}

/** A required field; ids may be numbers. */
export function needText(fields: Fields, name: string): string {
	const value = fields[name];
	if (typeof value !== 'string' && typeof value !== 'number') throw new Fault(`${name} is missing.`, 500);
	return String(value);
}

/** The number in a field; like real hosts, treats 0 as missing. */
export function numberIn(fields: Fields, name: string): number | undefined {
	const value = fields[name];
	return typeof value === 'number' && value !== 0 ? value : undefined;
}

export function textIn(fields: Fields, name: string): string {
	const value = fields[name];
	return typeof value === 'string' ? value : '';
}

/** `3 stories` */
export function storiesText(count: number): string {
	return `${count} ${count === 1 ? 'story' : 'stories'}`;
}

/** An option of a field. */
export interface Choice {
	label: string;
	value: string;
	optgroup?: true;
}

export function byLabel(choices: readonly Choice[]): Choice[] {
	return choices.toSorted((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1));
}
