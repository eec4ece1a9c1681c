import { HASHES_PER_REQUEST } from '../model/hashes';

/** Divides entries among requests. A chunk whose request failed is split into halves. */
export class Chunks<Entry> {
	private readonly halves: Entry[][] = [];
	private taken = 0;

	constructor(private readonly entries: Entry[]) {}

	/** The next chunk: a half of a failed one, or up to `size` further entries; empty at the end. */
	next(size: number): Entry[] {
		const half = this.halves.shift();
		if (half) return half;
		const from = this.taken;
		this.taken += Math.min(size, HASHES_PER_REQUEST);
		return this.entries.slice(from, this.taken);
	}

	/** Splits a failed chunk of several entries. Its halves come before or after the halves that are already waiting. */
	split(chunk: Entry[], position: 'before' | 'after'): void {
		if (chunk.length <= 1) return;
		const middle = Math.ceil(chunk.length / 2);
		const halves = [chunk.slice(0, middle), chunk.slice(middle)];
		if (position === 'before') this.halves.unshift(...halves);
		else this.halves.push(...halves);
	}
}
