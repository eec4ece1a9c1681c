/** The types with which the cases transcribe an interface document. */

/** The format of a value in a request or response; an array lists the allowed values. */
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
	/** Objects whose members are strings. */
	| 'objects'
	/** One parameter of the same name for each string. */
	| 'strings'
	/** JSON inside a form field. */
	| 'json'
	/** A file of a multipart form. */
	| 'file'
	/** Depends on another parameter. */
	| 'any';

export interface Parameter {
	required: boolean;
	type: Type;
}

export const required = (type: Type = 'string'): Parameter => ({ required: true, type });
export const optional = (type: Type = 'string'): Parameter => ({ required: false, type });

export type Parameters = Record<string, Parameter>;

/** An example of a successful response, and the record that a client makes from it (for a list: from its only entry). */
export interface Outcome {
	response: object;
	record: object;
}

/** An example according to the interface document, and one seen on hosts. */
export interface Example {
	contract: Outcome;
	wild: Outcome;
}

export const variants = ['contract', 'wild'] as const;
export type Variant = (typeof variants)[number];

export interface Endpoint {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** In the notation of the document, with `:name` for the variable parts. */
	path: string;
	query?: Parameters;
	body?: Parameters;
	/** For a list: the key of the entries in the envelope. */
	collection?: string;
	/**
	 * The n-th example (0, 1, 2); `ids` are the variable parts of the path, in order. The node may
	 * return parts of the sent `body` in the record of a write.
	 */
	example(requested: { n: number; ids: unknown[]; body?: Record<string, unknown> }): Example;
}

/** `METHOD /path`, with `*` for the variable parts of the path, because their names may differ. */
export const keyOf = ({ method, path }: { method: string; path: string }): string =>
	`${method} ${path.replace(/:\w+|\{\w+\??\}/g, '*')}`;
