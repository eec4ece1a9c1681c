import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../runtime/api-types';
import { aBoolean, aText, exact, optional, union, record, type RecordSchema } from '../runtime/table/record';
import type { Output, Shape } from '../runtime/table/operation';
import { messageOf, sourceOf, withoutEnvelope } from './model/responses';
import { inOurNames } from './model/names';

/** The response itself is the record. */
export const wholeResponse = (schema: RecordSchema, inside?: RecordSchema['members']): Output =>
	inOurNames({ schema, select: withoutEnvelope }, {}, inside);

/** A shape with `source`: the service's terms require its name beside its results. */
export const withSource = ({ schema, map, ...shape }: Shape): Shape => ({
	...shape,
	schema: record({ ...schema.members, source: aText }),
	map: (picked, response, params) => ({ ...map(picked, response, params), source: sourceOf(response) }),
});

/** The members of a written record that follow from the form; `sent` has the fields of the body. */
interface Known {
	members: RecordSchema['members'];
	of(sent: Record<string, unknown>, params: Record<string, unknown>): Record<string, unknown>;
}
const NOTHING: Known = { members: {}, of: () => ({}) };

const successRecord = record({ success: aBoolean, message: optional(aText) });

/** The record of a response, if there is one, with `success` and the service's message. */
const withSuccess = ({ members, of }: Known, form?: Shape): Shape => ({
	...form,
	schema: record({ ...form?.schema.members, ...members, ...successRecord.members }),
	map: (picked, response, params, sent = {}) => ({
		...(of(sent, params) as IDataObject),
		...form?.map(picked, response, params, sent),
		success: true,
		message: messageOf(response.json) ?? null,
	}),
});

/** `success`, the service's message if there is one, and the members that follow from the form. */
export const successWith = (known: Known): Output => ({
	schema: successRecord,
	select: ({ json }) => {
		const message = messageOf(json);
		return exact(successRecord, { success: true, ...(message !== undefined && { message }) });
	},
	shape: withSuccess(known),
});
export const success = successWith(NOTHING);

/** An output that reads other responses with `selectOther`, and leaves their shape unchanged. */
const either = (
	{ schema, select, shape }: Output,
	isOther: (response: ApiResponse) => boolean,
	selectOther: Output['select'],
): Output => ({
	schema,
	select: (response, path) => (isOther(response) ? selectOther : select)(response, path),
	shape: shape && {
		...shape,
		map: (picked, response, ...values) =>
			isOther(response) ? picked : shape.map(picked, response, ...values),
		enrich: async (records, response, api) =>
			(isOther(response) ? undefined : await shape.enrich?.(records, response, api)) ?? records,
	},
});

/** The written record from the response, or success if the response has none. */
export const orSuccess = (output: Output, known = NOTHING): Output => {
	const isBare = (response: ApiResponse): boolean => (output.select(response, {}) ?? undefined) === undefined;
	const confirmed = either(output, isBare, (response, path) => success.select(response, path));
	return { ...confirmed, shape: withSuccess(known, confirmed.shape) };
};

/** An output that is `html` if that was chosen. */
export const orHtml = (output: Output): Output => {
	const isHtml = ({ json }: ApiResponse): boolean => json === undefined;
	const { shape, ...others } = either(output, isHtml, ({ text }) => ({ html: text }));
	return { ...others, shape: shape && { ...shape, schema: union(shape.schema, { html: aText }) } };
};
