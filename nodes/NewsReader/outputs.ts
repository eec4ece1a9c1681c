import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../runtime/api-types';
import { aBoolean, aText, exact, optional, union, record, type RecordSchema } from '../runtime/table/record';
import type { Output, Shape } from '../runtime/table/operation';
import { messageOf, sourceOf, withoutEnvelope } from './model/responses';
import { inOurNames } from './model/names';

/** The response itself is the record. */
export const wholeResponse = (schema: RecordSchema, inside?: RecordSchema['members']): Output =>
	inOurNames({ schema, select: withoutEnvelope }, {}, inside);

/** An output with `source`: the service's terms require its name beside its results. */
export const withSource = ({ shape, ...output }: Output): Output => ({
	...output,
	shape: shape && {
		...shape,
		schema: record({
			...shape.schema.members,
			source: aText.described('Host name of the service, which its terms require you to name'),
		}),
		map: (selected, response, params) => ({
			...shape.map(selected, response, params),
			source: sourceOf(response),
		}),
	},
});

/**
 * The members of a written record that the service doesn't return: their values come from the request's body and the
 * params.
 */
interface SentMembers {
	members: RecordSchema['members'];
	from(body: Record<string, unknown>, params: Record<string, unknown>): Record<string, unknown>;
}
const NO_MEMBERS: SentMembers = { members: {}, from: () => ({}) };

const successRecord = record({
	success: aBoolean.described('true: the service confirmed it'),
	message: optional(aText).described('Message of the service'),
});

/** The record of a response, if there is one, with `success` and the service's message. */
const withSuccess = ({ members, from }: SentMembers, shape?: Shape): Shape => ({
	...shape,
	schema: record({ ...shape?.schema.members, ...members, ...successRecord.members }),
	map: (selected, response, params, body = {}) => ({
		...(from(body, params) as IDataObject),
		...shape?.map(selected, response, params, body),
		success: true,
		message: messageOf(response.json) ?? null,
	}),
});

/** `success`, the service's message if there is one, and members of the request. */
export const successWith = (sentMembers: SentMembers): Output => ({
	schema: successRecord,
	select: ({ json }) => {
		const message = messageOf(json);
		return exact(successRecord, { success: true, ...(message !== undefined && { message }) });
	},
	shape: withSuccess(sentMembers),
});
export const success = successWith(NO_MEMBERS);

/**
 * For a row with two kinds of responses: `isOther` recognizes the second kind, whose record `selectOther` selects and
 * no shape changes.
 */
const either = (
	{ schema, select, shape }: Output,
	isOther: (response: ApiResponse) => boolean,
	selectOther: Output['select'],
): Output => ({
	schema,
	select: (response, path) => (isOther(response) ? selectOther : select)(response, path),
	shape: shape && {
		...shape,
		map: (selected, response, ...values) =>
			isOther(response) ? selected : shape.map(selected, response, ...values),
		enrich: async (records, response, api) =>
			(isOther(response) ? undefined : await shape.enrich?.(records, response, api)) ?? records,
	},
});

/** The written record from the response, or success if the response has none. */
export const orSuccess = (output: Output, sentMembers = NO_MEMBERS): Output => {
	const hasNoRecord = (response: ApiResponse): boolean =>
		(output.select(response, {}) ?? undefined) === undefined;
	const confirmed = either(output, hasNoRecord, (response, path) => success.select(response, path));
	return { ...confirmed, shape: withSuccess(sentMembers, confirmed.shape) };
};

/** An output that is `{ html }` if the user chose HTML as the response format. */
export const orHtml = (output: Output): Output => {
	const isHtml = ({ json }: ApiResponse): boolean => json === undefined;
	const { shape, ...others } = either(output, isHtml, ({ text }) => ({ html: text }));
	return {
		...others,
		shape: shape && {
			...shape,
			schema: union(shape.schema, { html: aText.described('HTML fragment, if Response Format is HTML') }),
		},
	};
};
