import { isRecord } from '../values';
import type { Output } from './operation';
import type { RecordSchema } from './record';

/** The record stands under one key of the answer. */
export const recordUnder = (key: string, schema: RecordSchema): Output => ({
	schema,
	select: ({ json }) => (isRecord(json) ? json[key] : undefined),
});

/** One record of a list. */
export const listedRecord = (schema: RecordSchema): Output => ({ schema, select: ({ json }) => json });
