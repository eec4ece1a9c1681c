import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../runtime/api-types';
import { aBoolean, aText, union, record, type RecordSchema } from '../runtime/table/record';
import type { Output } from '../runtime/table/operation';
import { messageOf, sourceOf } from './model/responses';

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

/** Members that the service doesn't return: they come from the request's body and params. */
interface SentMembers {
	members: RecordSchema['members'];
	from(body: Record<string, unknown>, params: Record<string, unknown>): Record<string, unknown>;
}
const NO_MEMBERS: SentMembers = { members: {}, from: () => ({}) };

export const aConfirmation = aBoolean.described('true: the service confirmed it');

const successRecord = record({
	success: aConfirmation,
	message: aText.described('Message of the service'),
});

/** The written record, if there is one, with `success`, the message, and members of the request. */
export const orSuccess = ({ schema, select, shape }: Output, sent = NO_MEMBERS): Output => {
	const hasRecord = (response: ApiResponse): boolean => (select(response, {}) ?? undefined) !== undefined;
	return {
		schema,
		select: (response, path) => select(response, path) ?? { success: true },
		shape: {
			...shape,
			schema: record({ ...shape?.schema.members, ...sent.members, ...successRecord.members }),
			enrich: async (records, response, api) =>
				(hasRecord(response) ? await shape?.enrich?.(records, response, api) : undefined) ?? records,
			map: (selected, response, params, body = {}) => ({
				...(sent.from(body, params) as IDataObject),
				...(hasRecord(response) && shape?.map(selected, response, params, body)),
				success: true,
				message: messageOf(response.json) ?? null,
			}),
		},
	};
};

export const successWith = (sent: SentMembers): Output =>
	orSuccess({ schema: successRecord, select: () => undefined }, sent);
export const success = successWith(NO_MEMBERS);

export const orHtml = ({ schema, select, shape }: Output): Output => {
	const isHtml = ({ json }: ApiResponse): boolean => json === undefined;
	return {
		schema,
		select: (response, path) => (isHtml(response) ? { html: response.text } : select(response, path)),
		shape: shape && {
			...shape,
			schema: union(shape.schema, { html: aText.described('HTML fragment, if Response Format is HTML') }),
			enrich: async (records, response, api) =>
				(isHtml(response) ? undefined : await shape.enrich?.(records, response, api)) ?? records,
			map: (selected, response, ...values) =>
				isHtml(response) ? selected : shape.map(selected, response, ...values),
		},
	};
};
