import { aBoolean, aText, record, type RecordKind } from '../runtime/table/record';
import type { Output } from '../runtime/table/operation';
import { isRecord } from '../runtime/values';
import { messageOf, withoutEnvelope } from './model/answers';

/** The answer itself is the record. */
export const wholeAnswer = (kind: RecordKind): Output => ({ kind, pick: withoutEnvelope });

/** The record stands under one key of the answer. */
export const recordUnder = (key: string, kind: RecordKind): Output => ({
	kind,
	pick: ({ json }) => (isRecord(json) ? json[key] : undefined),
});

/** One record of a list. */
export const listedRecord = (kind: RecordKind): Output => ({ kind, pick: ({ json }) => json });

/** Nothing but that it was done: `success`, and the service's message where it has one. */
export const success: Output = {
	kind: record({ success: aBoolean, message: aText }),
	pick: ({ json }) => {
		const message = messageOf(json);
		return { success: true, ...(message !== undefined && { message }) };
	},
};

/** What was written, as the answer tells it; that it was done where the answer tells no more. */
export const orSuccess = ({ kind, pick, simple }: Output): Output => ({
	kind,
	pick: (answer, path) => pick(answer, path) ?? success.pick(answer, path),
	simple: simple && {
		kind: simple.kind,
		of: (record, answer, form) => (pick(answer, {}) ? simple.of(record, answer, form) : record),
	},
});

/** The same output, or `html` where that was asked for. */
export const orHtml = ({ kind, pick, simple }: Output): Output => ({
	kind,
	pick: (answer, path) => (answer.json === undefined ? { html: answer.text } : pick(answer, path)),
	simple: simple && {
		kind: simple.kind,
		of: (record, answer, form) => (answer.json === undefined ? record : simple.of(record, answer, form)),
	},
});
