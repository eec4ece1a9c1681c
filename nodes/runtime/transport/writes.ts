/** The last write of each account that has any under way. */
const lastWrites = new Map<string, Promise<unknown>>();

/** Lets the writes of one account go one after the other, whichever node or execution of this process they are of. */
export async function afterOtherWrites<Done>(account: string, write: () => Promise<Done>): Promise<Done> {
	const before = lastWrites.get(account) ?? Promise.resolve();
	const own = before.then(write);
	const over = own.catch(() => undefined);
	lastWrites.set(account, over);
	try {
		return await own;
	} finally {
		if (lastWrites.get(account) === over) lastWrites.delete(account);
	}
}
