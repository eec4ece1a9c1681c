import type { IDataObject } from 'n8n-workflow';
import type { RequestParts } from '../api-types';

/** How a record of a resource is shown in a list, and found by its URL. */
export interface Listing<Name extends string = string> {
	list: Name;
	label(record: IDataObject): string;
	/** The list has only one page, so the editor can show it sorted by label. */
	sorted?: true;
	/** The id to send. Default: the record's `id`. */
	id?(record: IDataObject): number | string;
	/** The record's own address, shown beside it and accepted By URL. */
	url?(record: IDataObject): unknown;
	/** The query that finds a record by its URL, if the service supports that, and the label of the field with this URL. */
	findByUrl?(url: string): Partial<RequestParts>;
	/** The query that narrows the list to a text, if the service supports that. */
	search?(filter: string): Record<string, unknown>;
}

export interface LookUp {
	/** What identifies the record: one of its `keysOf`. */
	key: string;
	/** The query that narrows the list to such records. Without it, the whole list is read. */
	search?: Record<string, unknown>;
	/**
	 * Why more than `above` records with the key are refused. Default: the oldest is taken. With 0, the key finds what may be
	 * the record: one that was created or updated with this body does not get it.
	 */
	refuses?: { above: number; reason: string };
}

/**
 * How If Exists recognizes, in the resource's list, the record that would be created again. Update Existing sends the
 * resource's operation `update`, whose path is `{id}`. Its body is the prepared body of this operation without the fields
 * that `update` lacks; the `prepare` of `update` does not run.
 */
export interface Existing {
	/** Completes "Return the one …" in the form: "with the same name". */
	matchedBy: string;
	/** What identifies an existing record. */
	keysOf(record: IDataObject): string[];
	/**
	 * How to find the record to be created: the first look-up that finds one decides. None if nothing identifies it. `body` can
	 * also be a single field, to know whether that field identifies the record.
	 */
	lookUps(body: Record<string, unknown>): LookUp[];
	/** The members and fields that follow from the member `of`, such as the domain from a short URL. */
	facts?: { of: string; read(value: unknown): IDataObject };
}
