import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The data file is unusable; the message has the path and the reason. */
export class DataFileError extends Error {}

/**
 * Opens the database of a sandbox, in a file or in memory.
 * Confirmed writes survive crashes: the write-ahead log is flushed at every commit.
 */
export function openDatabase(file?: string): DatabaseSync {
	try {
		const db = new DatabaseSync(file ?? ':memory:');
		db.exec(
			'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000',
		);
		return db;
	} catch (error) {
		if (isDiskError(error)) throw new DataFileError(diskProblem, { cause: error });
		const reason = error instanceof Error ? error.message : String(error);
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
		// On a full disk, SQLite has already rolled back.
		if (db.isTransaction) db.exec('ROLLBACK');
		throw error;
	}
}

/** Primary result codes of SQLite: I/O error, disk full. */
const diskErrors = [10, 13];

/** Whether the disk of the data file is full, or could not be written for another reason. */
export function isDiskError(error: unknown): boolean {
	if (!(error instanceof Error) || !('errcode' in error)) return false;
	return diskErrors.includes(Number(error.errcode) & 0xff);
}

/** Ignores a full disk in background work, which is repeated later; the process must not end. */
export function unlessDisk(error: unknown): void {
	if (!isDiskError(error)) throw error;
}

/** The message for clients and users if the disk is full. */
export const diskProblem =
	'The data file cannot be written; its disk is probably full. Of this nothing was kept, and nothing that was confirmed is lost. Free some space and try again.';

/** Whether a data file was not closed properly: its log still exists. */
export function wasCutOff(file: string | undefined): boolean {
	const log = `${file}-wal`;
	return file !== undefined && existsSync(log) && statSync(log).size > 0;
}
