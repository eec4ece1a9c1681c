/** Stores in a file which records a check still has to remove, in case it is killed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Unfinished } from './check.ts';

/** The file is next to the report and contains no secret. It is deleted when there are no more records. */
export class UnfinishedFile {
	readonly #path: string;

	constructor(report: string) {
		this.#path = `${report}.unfinished.json`;
	}

	/** The records of a previous check of an account. */
	get(account: string): Unfinished | undefined {
		return this.#read()[account];
	}

	set(account: string, unfinished: Unfinished): void {
		const { [account]: _, ...others } = this.#read();
		const isDone = unfinished.removals.length === 0 && !unfinished.creating;
		const remaining = isDone ? others : { ...others, [account]: unfinished };
		if (Object.keys(remaining).length === 0) rmSync(this.#path, { force: true });
		else writeFileSync(this.#path, `${JSON.stringify(remaining, null, '\t')}\n`);
	}

	#read(): Record<string, Unfinished> {
		if (!existsSync(this.#path)) return {};
		return JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, Unfinished>;
	}
}
