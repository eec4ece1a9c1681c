import type { Answer } from '../runtime/exchange';
import {
	aBoolean,
	aText,
	make,
	optional,
	optionalMembers,
	record,
	type Kind,
	type RecordKind,
} from '../runtime/table/record';
import { simplified, type Output, type Simple } from '../runtime/table/operation';
import { messageOf, sourceOf, withoutEnvelope } from './model/answers';

/** The answer itself is the record. */
export const wholeAnswer = (kind: RecordKind): Output => ({ kind, pick: withoutEnvelope });

/** The same with the service as the source, which its terms want to be named with what users see. */
export const cited = ({ kind, of }: Simple): Simple =>
	simplified(record({ ...kind.members, source: aText }), (picked, answer, form) => ({
		...of(picked, answer, form),
		source: sourceOf(answer),
	}));

/** Nothing but that it was done: `success`, and the service's message where it has one. */
const successRecord = record({ success: aBoolean, message: optional(aText) });
export const success: Output = {
	kind: successRecord,
	pick: ({ json }) => {
		const message = messageOf(json);
		return make(successRecord, { success: true, ...(message !== undefined && { message }) });
	},
};

/** The same output, or in its place a record with these members, which the other then lacks. */
const either = (
	{ kind, pick, simple }: Output,
	others: Readonly<Record<string, Kind>>,
	isOther: (answer: Answer) => boolean,
	pickOther: Output['pick'],
): Output => {
	const withOthers = (first: RecordKind): RecordKind =>
		record({ ...optionalMembers(first.members), ...optionalMembers(others) });
	return {
		kind: withOthers(kind),
		pick: (answer, path) => (isOther(answer) ? pickOther(answer, path) : pick(answer, path)),
		simple:
			simple &&
			simplified(
				withOthers(simple.kind),
				(picked, answer, form) => (isOther(answer) ? picked : simple.of(picked, answer, form)),
				async (records, answer, api) =>
					(isOther(answer) ? undefined : await simple.complete?.(records, answer, api)) ?? records,
			),
	};
};

/** What was written, as the answer tells it; that it was done where the answer tells no more. */
export const orSuccess = (output: Output): Output =>
	either(
		output,
		success.kind.members,
		(answer) => (output.pick(answer, {}) ?? undefined) === undefined,
		(answer, path) => success.pick(answer, path),
	);

/** The same output, or `html` where that was asked for. */
export const orHtml = (output: Output): Output =>
	either(
		output,
		{ html: aText },
		(answer) => answer.json === undefined,
		({ text }) => ({ html: text }),
	);
