/** Parameters of a request as the service reads them: from the query of a GET, from the form of a POST. */
export class Parameters {
	readonly #fields: URLSearchParams;
	readonly #files: ReadonlyMap<string, Buffer>;

	constructor(fields: URLSearchParams, files: ReadonlyMap<string, Buffer> = new Map()) {
		this.#fields = fields;
		this.#files = files;
	}

	/** The last value of a name; undefined when it is absent. */
	text(name: string): string | undefined {
		return this.#fields.getAll(name).at(-1) ?? this.#fields.getAll(`${name}[]`).at(-1);
	}

	/** Every value of `name` and `name[]`, without blank ones. */
	list(name: string): string[] {
		return [...this.#fields.getAll(name), ...this.#fields.getAll(`${name}[]`)].filter(
			(value) => value !== '',
		);
	}

	/** Every value of exactly this name, blank ones included. */
	exactly(name: string): string[] {
		return this.#fields.getAll(name);
	}

	/** Absent, empty, `false` and `0` are false, everything else is true. */
	flag(name: string, absent = false): boolean {
		const value = this.text(name);
		return value === undefined ? absent : !['', 'false', '0'].includes(value.toLowerCase());
	}

	/** An integer of at least `least`, or `otherwise` when it is absent or no such number. */
	integer(name: string, otherwise: number, least = 0): number {
		const value = this.text(name) ?? '';
		return /^\d{1,15}$/.test(value) && Number(value) >= least ? Number(value) : otherwise;
	}

	/** The integers of a list; other values are left out. */
	integers(name: string): number[] {
		return this.list(name)
			.filter((value) => /^\d{1,15}$/.test(value))
			.map(Number);
	}

	has(name: string): boolean {
		return this.#fields.has(name) || this.#fields.has(`${name}[]`);
	}

	file(name: string): Buffer | undefined {
		return this.#files.get(name);
	}

	/** All fields, in the order they came. */
	entries(): [string, string][] {
		return [...this.#fields];
	}
}
