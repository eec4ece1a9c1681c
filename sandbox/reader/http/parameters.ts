import { Fault } from './response.ts';

/** Parses the parameters of a request like the service: the query of a GET, the form of a POST. */
export class Parameters {
	readonly #fields: URLSearchParams;
	readonly #files: ReadonlyMap<string, Buffer>;
	readonly #strict: boolean;

	/** `strict`: a text instead of a number is a `Fault`; otherwise it counts as absent. */
	constructor(fields: URLSearchParams, files: ReadonlyMap<string, Buffer> = new Map(), strict = false) {
		this.#fields = fields;
		this.#files = files;
		this.#strict = strict;
	}

	/** The same, with numbers read strictly. */
	strict(): Parameters {
		return new Parameters(this.#fields, this.#files, true);
	}

	/** The same, but a text instead of a number counts as absent. */
	lenient(): Parameters {
		return new Parameters(this.#fields, this.#files);
	}

	/** The last value of a parameter; undefined if it is missing. */
	text(name: string): string | undefined {
		return this.#fields.getAll(name).at(-1) ?? this.#fields.getAll(`${name}[]`).at(-1);
	}

	/** All values of `name` and `name[]` that are not blank. */
	list(name: string): string[] {
		return [...this.#fields.getAll(name), ...this.#fields.getAll(`${name}[]`)].filter(
			(value) => value !== '',
		);
	}

	/** All values of exactly this name, including blank ones. */
	exactly(name: string): string[] {
		return this.#fields.getAll(name);
	}

	/** Absent, empty, `false` and `0` are false, everything else is true. */
	flag(name: string, absent = false): boolean {
		const value = this.text(name);
		return value === undefined ? absent : !['', 'false', '0'].includes(value.toLowerCase());
	}

	/** An integer of at least `least`; `otherwise` if it is missing or invalid. */
	integer(name: string, otherwise: number, least = 0): number {
		const value = this.text(name);
		if (value === undefined) return otherwise;
		return this.#isInteger(name, value) && Number(value) >= least ? Number(value) : otherwise;
	}

	/** The integers of a list; skips other values, including ids of share feeds (`social:12`). */
	integers(name: string): number[] {
		return this.list(name)
			.map((value) => value.trim())
			.filter((value) => !value.startsWith('social:') && this.#isInteger(name, value))
			.map(Number);
	}

	#isInteger(name: string, value: string): boolean {
		const integer = /^\d{1,15}$/.test(value);
		if (!integer && this.#strict && !/^-\d{1,15}$/.test(value)) {
			throw new Fault(`${name} is no number: ${value}`, 500);
		}
		return integer;
	}

	has(name: string): boolean {
		return this.#fields.has(name) || this.#fields.has(`${name}[]`);
	}

	file(name: string): Buffer | undefined {
		return this.#files.get(name);
	}

	/** All fields, in the order of the request. */
	entries(): [string, string][] {
		return [...this.#fields];
	}
}
