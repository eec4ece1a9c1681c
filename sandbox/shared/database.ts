import { DatabaseSync } from 'node:sqlite';

/** The data file cannot be used; the message says which and why. */
export class DataFileError extends Error {}

/**
 * Opens the database of a sandbox: a file, or memory without one.
 * A confirmed write survives the process and the machine: write-ahead log, flushed at every commit.
 */
export function openDatabase(file?: string): DatabaseSync {
	try {
		const db = new DatabaseSync(file ?? ':memory:');
		db.exec(
			'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000',
		);
		return db;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new DataFileError(
			`The data file ${file} cannot be used (${reason}). Give the path of a sandbox's file, or of a new one in a folder that exists and can be written.`,
		);
	}
}
