/** The records that checks still have to remove, kept in a file in case one is killed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Unfinished } from './check.ts';

/** The file is next to the report and contains no secret. It is deleted when nothing is left to remove. */
export class UnfinishedFile {
	readonly #path: string;

	constructor(report: string) {
		this.#path = `${report}.unfinished.json`;
	}

	/** The records that an earlier check of an account left. */
	get(account: string): Unfinished | undefined {
		return this.#read()[account];
	}

	set(account: string, unfinished: Unfinished): void {
		const { [account]: _, ...others } = this.#read();
		const isDone = unfinished.removals.length === 0 && !unfinished.creating;
		const kept = isDone ? others : { ...others, [account]: unfinished };
		if (Object.keys(kept).length === 0) rmSync(this.#path, { force: true });
		else writeFileSync(this.#path, `${JSON.stringify(kept, null, '\t')}\n`);
	}

	#read(): Record<string, Unfinished> {
		if (!existsSync(this.#path)) return {};
		return JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, Unfinished>;
	}
}
