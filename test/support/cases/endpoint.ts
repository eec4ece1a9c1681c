/** The vocabulary in which an interface document is transcribed for the tests. */
import { existsSync } from 'node:fs';

/** The format of a value in a request or response; an array lists the only values allowed. */
export type Type = WireType | readonly string[];
export type WireType =
	| 'string'
	| 'integer'
	| 'boolean'
	/** `rgb(r,g,b)`. */
	| 'rgb'
	/** `#RRGGBB`. */
	| 'hex'
	/** `YYYY-MM-DD HH:MM:SS`. */
	| 'timestamp'
	| 'integers'
	| 'object'
	/** Objects of texts. */
	| 'objects'
	/** The name is repeated for each text. */
	| 'strings'
	/** JSON inside a form field. */
	| 'json'
	/** A file of a multipart form. */
	| 'file'
	/** Anything; depends on another parameter. */
	| 'any';

export interface Parameter {
	required: boolean;
	type: Type;
}

export const required = (type: Type = 'string'): Parameter => ({ required: true, type });
export const optional = (type: Type = 'string'): Parameter => ({ required: false, type });

export type Parameters = Record<string, Parameter>;

/** An example of a success: the response, and the record that a client makes of it (of a list: of its only entry). */
export interface Outcome {
	response: object;
	record: object;
}

/** The service's responses according to the interface document, and those seen on hosts. */
export interface Example {
	contract: Outcome;
	wild: Outcome;
}

export const variants = ['contract', 'wild'] as const;
export type Variant = (typeof variants)[number];

export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** As the document writes it, with `:name` for the variable parts of the path. */
	path: string;
	query?: Parameters;
	body?: Parameters;
	/** Of a list: the key of the envelope that holds the entries. */
	collection?: string;
	/**
	 * The n-th example (0, 1, 2); `ids` are the variable parts of the path, in order. The node may
	 * return parts of the sent `body` in the record of a write.
	 */
	example(requested: { n: number; ids: unknown[]; body?: Record<string, unknown> }): Example;
}

/** `METHOD /path`, with `*` for the variable parts of the path, so that their names do not matter. */
export const keyOf = ({ method, path }: { method: string; path: string }): string =>
	`${method} ${path.replace(/:\w+|\{\w+\??\}/g, '*')}`;

/** A message for each of `wanted` that is not in `written`. `file` names the file to edit. */
export function missingFrom(written: string[], wanted: string[], file: string): string[] {
	const [path = ''] = /(nodes|test|docs|check|sandbox)\/[\w./-]*\w/.exec(file) ?? [];
	if (!existsSync(path)) throw new Error(`There is no ${path || file}`);
	return wanted
		.filter((key) => !written.includes(key))
		.map((key) => `${key} is missing: write it in ${file}`);
}
