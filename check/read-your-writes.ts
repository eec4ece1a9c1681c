/**
 * Whether reads and events show a write at once: tries every write of the matrix, with the built nodes, against any host.
 * It changes the feeds, folders, marks, shares and follows of the account.
 */
import { CommandError } from '../scripts/command.ts';
import { FOLDER, reads, writes, type ReadName, type Subject, type Write } from './matrix.ts';
import { ReaderAccount, type Account } from './reader-account.ts';

export interface Row {
	write: string;
	/** The reads that show the write. */
	shown: string[];
	/** The reads that don’t show it, and what they show. */
	missing: string[];
	/** The reads that showed the same before the write, so nothing is known. */
	unchanged: string[];
	/** Why the write was not tried. */
	skipped?: string;
}

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Tries every write, one after another. `feedAddress` is the address of a subscribed feed with a story of the last day. */
export async function* readYourWrites(account: Account, feedAddress?: string): AsyncGenerator<Row> {
	const reader = new ReaderAccount(account);
	const subject = await subjectOf(reader, feedAddress);
	await reader.run('folder.create', { folderName: FOLDER });
	await reader.run('feed.move', { feedId: byId(subject.id), toFolder: byId(FOLDER) });
	for (const write of writes) yield await rowOf(reader, subject, write);
	await reader.run('feed.move', { feedId: byId(subject.id), toFolder: byId('/') });
	await reader.run('folder.delete', { folder: byId(FOLDER) });
}

async function subjectOf(reader: ReaderAccount, feedAddress?: string): Promise<Subject> {
	const feeds = await reader.run('feed.getAll', { returnAll: true });
	const feed = feeds.find(({ address }) => feedAddress === undefined || address === feedAddress);
	if (!feed) throw new CommandError('The account has no feeds, or is not subscribed to that of --feed.');
	const [story] = await reader.run('story.getAll', { feedId: byId(feed.id), limit: 1 });
	if (!story) throw new CommandError('The feed has no stories.');
	const users = await reader.run('user.getAll', { returnAll: true });
	const [profile] = await reader.run('profile.get');
	return {
		...feed,
		hash: story.hash,
		storyTitle: story.title,
		me: profile?.id,
		other: users.find(({ following, you }) => following === true && you !== true)?.id,
	} as unknown as Subject;
}

async function rowOf(reader: ReaderAccount, given: Subject, write: Write): Promise<Row> {
	const subject = write.of?.(given) ?? given;
	const row: Row = { write: write.name, shown: [], missing: [], unchanged: [] };
	if (write.needsFollowed && subject.other === undefined) {
		return { ...row, skipped: 'not tried, because the account follows nobody' };
	}
	const names = (Object.keys(reads) as ReadName[]).filter((name) => name in write.shows);
	const factsOf = async (isBefore: boolean) => {
		const facts = new Map<ReadName, unknown>();
		const once = reader.readingOnce();
		for (const name of names) facts.set(name, await reads[name](once, subject, isBefore));
		return facts;
	};
	try {
		await write.before?.(reader, subject);
		const before = await factsOf(true);
		await write.write(reader, subject);
		const after = await factsOf(false);
		for (const name of names) {
			if (after.get(name) !== write.shows[name]) row.missing.push(`${name} (${String(after.get(name))})`);
			else if (before.get(name) === write.shows[name]) row.unchanged.push(name);
			else row.shown.push(name);
		}
	} catch (error) {
		const { message } = error as Error;
		if (message.includes('does not offer')) row.skipped = 'not offered';
		else row.missing.push(`any read, because of an error: ${message}`);
	}
	// After a failure, there may be nothing to undo.
	await write.after?.(reader, subject).catch(() => undefined);
	return row;
}
