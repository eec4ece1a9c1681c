import { DatabaseSync } from 'node:sqlite';

/** The data file is unusable; the message has the path and the reason. */
export class DataFileError extends Error {}

/** A running sandbox uses the data file. */
export class DataFileInUse extends DataFileError {}

/**
 * Opens the database of a sandbox, in a file or in memory. Only one sandbox can use a file: a second one would give the
 * feeds its own address.
 * Confirmed writes survive crashes: the write-ahead log is flushed at every commit.
 */
export function openDatabase(file?: string): DatabaseSync {
	try {
		const db = new DatabaseSync(file ?? ':memory:');
		db.exec(
			'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON',
		);
		return db;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		if (reason === 'database is locked')
			throw new DataFileInUse(
				`Another sandbox or playground uses the data file ${file}. Stop that one first.`,
			);
		throw new DataFileError(
			`The data file ${file} cannot be used (${reason}). Give the path of a sandbox's file, or of a new one in a folder that exists and can be written.`,
		);
	}
}

/** Runs `work` in a transaction, or as part of the current one. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
	if (db.isTransaction) return work();
	db.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		db.exec('COMMIT');
		return result;
	} catch (error) {
		db.exec('ROLLBACK');
		throw error;
	}
}
