import type { IDataObject } from 'n8n-workflow';

/** How a record of a resource is shown in a list, and found by its URL. */
export interface Listing<Name extends string = string> {
	/** The operation that lists the records. */
	list: Name;
	/** The text that lists show. */
	label(record: IDataObject): string;
	/** The list has only one page, so the editor can show it sorted by label. */
	sorted?: true;
	/** The id to send. Default: the record's `id`. */
	id?(record: IDataObject): number | string;
	/** The record's own address, shown beside it and accepted By URL. */
	url?(record: IDataObject): unknown;
	/** The query that finds a record by its URL, if the service supports that. */
	findByUrl?(url: string): Record<string, unknown>;
	/** The query that narrows the list to a text, if the service supports that. */
	search?(filter: string): Record<string, unknown>;
}

/**
 * How If Exists recognizes, in the resource's list, the record that would be created again. Update Existing sends the
 * resource's operation `update`, whose path is `{id}`. Its body is the prepared body of this operation without the fields
 * that `update` lacks; the `prepare` of `update` does not run.
 */
export interface Existing {
	/** Completes "Return the one …" in the form: "with the same name". */
	matchedBy: string;
	/** What identifies the record to be created; undefined if nothing does. */
	keyOfInput(body: Record<string, unknown>): string | undefined;
	/** What identifies an existing record, in the form that `keyOfInput` returns. */
	keyOfRecord(record: IDataObject, body?: Record<string, unknown>): string | undefined;
	/** The query that narrows the list. Without it, the whole list is read once per run. */
	search?(body: Record<string, unknown>): Record<string, unknown>;
	/** What differs for Update Existing. */
	update?: Partial<Pick<Existing, 'matchedBy' | 'keyOfInput' | 'keyOfRecord' | 'search'>>;
	/** If the service refuses to create the record: how to find the existing record with which it conflicts. */
	onConflict?(body: Record<string, unknown>):
		| {
				search: Record<string, unknown>;
				matches(record: IDataObject): boolean;
		  }
		| undefined;
}
