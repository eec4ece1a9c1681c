/** Lists of more records than a trigger remembers. */
import type { IDataObject } from 'n8n-workflow';
import { compare, NOTHING_KNOWN, toKey, type Identity } from '../../nodes/LinkManager/triggers/knownRecords';

const identity: Identity = {
	key: ({ id }) => toKey(id),
	order: ({ id }) => Number(id),
	count: ({ scans }) => Number(scans),
	mark: () => [undefined, undefined],
};
/** So many codes, newest first, each scanned so often. */
const codes = (newest: number, count: number, scans: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ id: newest - n, scans }));

const snapshot = (records: IDataObject[], reachedEnd: boolean) => ({
	records,
	isAtomic: false,
	reachedEnd,
	next: reachedEnd ? 1 : 2,
});

it('watches those that the service lists first, round after round', () => {
	const pages = [codes(60_000, 30_000, 0), codes(30_000, 30_000, 0)];
	let cursor = { ...NOTHING_KNOWN, isBeginning: true };
	const round = (at: number[]): void =>
		at.forEach(
			(page) => (cursor = compare(identity, cursor, snapshot(pages[page]!, page === 1), () => undefined)),
		);
	round([0, 1]);
	round([0, 1]);
	const changes = new Map<string, number>();
	const scanned = [codes(60_000, 30_000, 1), codes(30_000, 30_000, 1)];
	for (const records of scanned) {
		cursor = compare(identity, cursor, snapshot(records, records === scanned[1]), (change) =>
			changes.set(change, (changes.get(change) ?? 0) + 1),
		);
	}
	expect(changes).toEqual(new Map([['counted', 40_000]]));
});
