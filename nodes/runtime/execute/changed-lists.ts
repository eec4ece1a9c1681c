/** A list of the service, as the last response of this run showed it, and the changes that it should contain. */
interface ChangedList {
	state: unknown;
	/** Keyed by the changed record: a later change replaces an earlier one. */
	changes: Map<unknown, { item: number; isShown: (state: never) => boolean }>;
}

/**
 * The lists that the writes of a run change. Where the service writes whole lists back, another process can undo a
 * change that was confirmed: a later response of this run then no longer shows it.
 */
export class ChangedLists {
	private readonly lists = new Map<string, ChangedList>();

	/** Notes a change of an item. `state` is the list in the response to it; `isShown` finds the change in a state. */
	note<State>(
		item: number,
		list: string,
		state: State,
		changed: unknown,
		isShown: (state: State) => boolean,
	): void {
		const changes = this.lists.get(list)?.changes ?? new Map();
		this.lists.set(list, { state, changes: changes.set(changed, { item, isShown }) });
	}

	/** The items whose changes the last response of their list doesn't show. */
	get undone(): Set<number> {
		const changes = [...this.lists.values()].flatMap(({ state, changes: made }) =>
			[...made.values()].filter(({ isShown }) => !isShown(state as never)),
		);
		return new Set(changes.map(({ item }) => item));
	}
}
