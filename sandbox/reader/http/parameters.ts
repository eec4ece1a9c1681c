/** Parses the parameters of a request like the service: the query of a GET, the form of a POST. */
export class Parameters {
	readonly #fields: URLSearchParams;
	readonly #files: ReadonlyMap<string, Buffer>;

	constructor(fields: URLSearchParams, files: ReadonlyMap<string, Buffer> = new Map()) {
		this.#fields = fields;
		this.#files = files;
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
		return isInteger(value) && Number(value) >= least ? Number(value) : otherwise;
	}

	/** The integers of a list; skips other values, including ids of share feeds (`social:12`). */
	integers(name: string): number[] {
		return this.list(name)
			.map((value) => value.trim())
			.filter((value) => !value.startsWith('social:') && isInteger(value))
			.map(Number);
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

const isInteger = (value: string): boolean => /^\d{1,15}$/.test(value);
