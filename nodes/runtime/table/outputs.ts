import { isRecord } from '../values';
import type { Output } from './operation';
import type { RecordKind } from './record';

/** The record stands under one key of the answer. */
export const recordUnder = (key: string, kind: RecordKind): Output => ({
	kind,
	pick: ({ json }) => (isRecord(json) ? json[key] : undefined),
});

/** One record of a list. */
export const listedRecord = (kind: RecordKind): Output => ({ kind, pick: ({ json }) => json });
