import type { IDataObject } from 'n8n-workflow';
import type { Answer } from '../runtime/exchange';
import {
	aBoolean,
	aText,
	make,
	optional,
	orElse,
	record,
	type Kind,
	type RecordKind,
} from '../runtime/table/record';
import { simplified, type Output, type Simple } from '../runtime/table/operation';
import { messageOf, sourceOf, withoutEnvelope } from './model/answers';
import { inOurNames } from './model/names';

type Members = Readonly<Record<string, Kind>>;

/** The answer itself is the record. */
export const wholeAnswer = (kind: RecordKind, inside?: Members): Output =>
	inOurNames({ kind, pick: withoutEnvelope }, {}, inside);

/** The same with the service as the source, which its terms want to be named with what users see. */
export const cited = ({ kind, of }: Simple): Simple =>
	simplified(record({ ...kind.members, source: aText }), (picked, answer, form) => ({
		...of(picked, answer, form),
		source: sourceOf(answer),
	}));

/** What is known of what was written from the form alone: `sent` are the fields of the body. */
interface Known {
	members: Members;
	of(sent: Record<string, unknown>, form: Record<string, unknown>): Record<string, unknown>;
}
const NOTHING: Known = { members: {}, of: () => ({}) };

const successRecord = record({ success: aBoolean, message: optional(aText) });

/** Whatever the answer tells: what is known, the record if there is one, that it was done, and the service's message. */
const withSuccess = ({ members, of }: Known, form?: Simple): Simple => ({
	...form,
	kind: record({ ...form?.kind.members, ...members, ...successRecord.members }),
	of: (picked, answer, wanted, sent = {}) => ({
		...(of(sent, wanted) as IDataObject),
		...form?.of(picked, answer, wanted, sent),
		success: true,
		message: messageOf(answer.json) ?? null,
	}),
});

/** Nothing but that it was done: `success`, and the service's message where it has one; and what is known of it. */
export const successWith = (known: Known): Output => ({
	kind: successRecord,
	pick: ({ json }) => {
		const message = messageOf(json);
		return make(successRecord, { success: true, ...(message !== undefined && { message }) });
	},
	whole: withSuccess(known),
});
export const success = successWith(NOTHING);

/** The same output, or in its place what is picked otherwise. */
const either = (
	{ kind, pick, simple }: Output,
	isOther: (answer: Answer) => boolean,
	pickOther: Output['pick'],
): Output => ({
	kind,
	pick: (answer, path) => (isOther(answer) ? pickOther(answer, path) : pick(answer, path)),
	simple: simple && unless(isOther, simple),
});

/** The form of a record, where the answer holds one. */
const unless = (isOther: (answer: Answer) => boolean, { kind, of, complete }: Simple): Simple =>
	simplified<RecordKind>(
		kind,
		(picked, answer, ...wanted) => (isOther(answer) ? picked : of(picked, answer, ...wanted)),
		async (records, answer, api) =>
			(isOther(answer) ? undefined : await complete?.(records, answer, api)) ?? records,
	);

/** The form of an output in whole records. */
const wholeOf = (output: Output): Simple | undefined => output.whole ?? output.simple;

/** What was written, as the answer tells it; that it was done where the answer tells no more. */
export const orSuccess = (output: Output, known = NOTHING): Output => {
	const isBare = (answer: Answer): boolean => (output.pick(answer, {}) ?? undefined) === undefined;
	const form = wholeOf(output);
	return {
		...either(output, isBare, (answer, path) => success.pick(answer, path)),
		whole: withSuccess(known, form && unless(isBare, form)),
	};
};

/** The same output, or `html` where that was asked for. */
export const orHtml = (output: Output): Output => {
	const isHtml = ({ json }: Answer): boolean => json === undefined;
	const form = wholeOf(output);
	return {
		...either(output, isHtml, ({ text }) => ({ html: text })),
		whole: form && { ...unless(isHtml, form), kind: orElse(form.kind, { html: aText }) },
	};
};
