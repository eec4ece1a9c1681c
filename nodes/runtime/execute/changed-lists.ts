import { getOrCreate } from '../values';

/** What a list should show after an item's write. */
interface Expectation {
	item: number;
	isShown(list: unknown): boolean;
}

/** The lists that writes of a run changed, as the last response with each list showed them. */
export class ChangedLists {
	private readonly lists = new Map<string, { last: unknown; expected: Map<unknown, Expectation> }>();

	/** Notes a list and what it should still show. A later change of the same record replaces an earlier one. */
	note(name: string, last: unknown, changedId: unknown, expectation: Expectation): void {
		const list = getOrCreate(this.lists, name, () => ({ last, expected: new Map<unknown, Expectation>() }));
		list.last = last;
		list.expected.set(changedId, expectation);
	}

	/** The items whose change is missing in the last response with its list. */
	undoneItems(): number[] {
		return [...this.lists.values()].flatMap(({ last, expected }) =>
			[...expected.values()].filter(({ isShown }) => !isShown(last)).map(({ item }) => item),
		);
	}
}
