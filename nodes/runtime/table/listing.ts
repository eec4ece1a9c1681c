import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../api-types';

/** How the pages of a list are asked for and read. They are numbered from 1. */
export interface Paging {
	/** The largest page that is useful to ask for. */
	readonly pageSize: number;
	query(page: number, size: number): Record<string, unknown>;
	/**
	 * The records of one response, and whether more pages follow. Throws the error that `refuse` returns if the
	 * response has no list.
	 */
	read(
		response: ApiResponse,
		page: number,
		refuse: (reason: string) => Error,
		query: Record<string, unknown>,
	): {
		records: unknown[];
		more: boolean;
		/** Why the list is withheld, in the service's words, where it says so instead of the records. */
		error?: string;
		/** A message of the service beside the records, shown as a hint. */
		warning?: string;
	};
	/** What makes a record the same as one of an earlier page. */
	identity(record: unknown): string;
}

/** How a record of a resource is shown in a list, and found by its URL. */
export interface Listing<Name extends string = string> {
	/** The operation that lists the records. */
	list: Name;
	label(record: IDataObject): string;
	/** The list has one page, and is shown sorted by label. */
	sorted?: true;
	id?(record: IDataObject): number | string;
	/** The record's own address, shown beside it and accepted By URL. */
	url?(record: IDataObject): unknown;
	/** The query that finds a record by its URL, where the service has one. */
	findByUrl?(url: string): Record<string, unknown>;
	/** The query that narrows the list to a text, where the service has one. */
	search?(filter: string): Record<string, unknown>;
}

/**
 * How a record that already exists is recognized in its resource's list, so that a workflow can run again. Update
 * Existing sends the resource's operation `update`, whose path is `{id}`, with the members of this operation's prepared
 * body that `update` has, too. The `prepare` of `update` does not run.
 */
export interface Existing {
	/** What the form says about returning the existing record: "with the same …". */
	matchedBy: string;
	/** What identifies the record to be created; undefined if nothing does. */
	keyOfInput(body: Record<string, unknown>): string | undefined;
	/** What identifies an existing record, in the form that `keyOfInput` returns. */
	keyOfRecord(record: IDataObject, body?: Record<string, unknown>): string | undefined;
	/** Narrows the list where the service can; otherwise it is read once a run. */
	search?(body: Record<string, unknown>): Record<string, unknown>;
	/** How records are recognized instead if the existing one is updated. */
	update?: Partial<Pick<Existing, 'matchedBy' | 'keyOfInput' | 'keyOfRecord' | 'search'>>;
	/** After the service refused to create: which existing record is the one that was wanted after all. */
	onConflict?(body: Record<string, unknown>):
		| {
				search: Record<string, unknown>;
				matches(record: IDataObject): boolean;
		  }
		| undefined;
}
