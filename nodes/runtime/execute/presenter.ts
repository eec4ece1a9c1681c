import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse, Result } from '../api-types';
import { isFailure } from '../errors/errors';
import { looksLike } from '../errors/messages';
import { withoutSecretMembers, type Member } from '../errors/secrets';
import { membersFromBody, resultSchema, type Operation } from '../table/operation';
import { fillMissing } from '../table/record';
import type { ServiceApi } from '../transport/api';
import { isSafe, requestOf } from '../transport/request';
import type { Service } from '../transport/service';
import { asRecord, isBlank, isRecord } from '../values';
import type { Ensured } from './existing';
import type { ItemInput } from './item-input';
import type { Outcome } from './item';

/** Turns responses into records of the declared shape, and masks the secrets of an outcome. */
export class Presenter {
	constructor(
		private readonly api: Api & Pick<ServiceApi, 'unexpected'>,
		private readonly row: Operation,
		private readonly service: Pick<Service, 'isSecretMember'>,
		private readonly input: ItemInput,
	) {}

	/** The record in a response as a result; throws if the response has none. */
	async resultIn(response: ApiResponse): Promise<Result> {
		if (this.input.settings.isRaw) return rawResult(response);
		const [result] = await this.results([this.recordIn(response)], response);
		return result!;
	}

	/** The record in a response. After a write, it also has the values that were sent, all as the schema declares them. */
	recordIn(response: ApiResponse): IDataObject {
		const { api, row } = this;
		const { parts } = this.input;
		const selected = row.output.select(response, parts.path);
		if (!isRecord(selected)) throw api.unexpected(requestOf(row, parts), response, looksLike(response));
		if (isSafe(row)) return selected as IDataObject;
		if (row.existing && isBlank(selected.id)) {
			api.hint(`The service confirmed this but returned no ID: ${row.action}`);
		}
		return {
			...row.output.initial?.(),
			...membersFromBody(row.output, parts.body),
			...(row.output.schema.coerce(selected, response.zone) as IDataObject),
		};
	}

	/** Records as results, each shaped. With Raw Response, the whole response. */
	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		const { api, row } = this;
		const { settings, values } = this.input;
		if (settings.isRaw) return [rawResult(response)];
		const { schema, shape } = row.output;
		const coerced = records.map((record) => schema.coerce(record, response.zone) as IDataObject);
		if (!settings.isShaped) return coerced.map((json) => ({ json }));
		const complete = (await shape?.enrich?.(coerced, response, api)) ?? coerced;
		const shaped = shape
			? complete.map((record) => shape.map(record, response, values.params, values.body))
			: complete;
		return shaped.map((json) => ({ json: fillMissing(resultSchema(row.output), json) }));
	}

	/** The record of an item with If Exists. With Raw Response, the response to its write. */
	ensured({ record, existed, differs, response }: Ensured): Result {
		const whole = fillMissing(this.row.output.schema, record);
		if (!this.input.settings.isRaw) return { json: { ...whole, existed, differs } };
		if (response) return rawResult(response);
		return { json: { message: 'The record exists: nothing was written for this item', id: whole.id } };
	}

	/** The outcome without secrets: masks the members that the service declares and those that password fields filled. */
	withoutSecrets(outcome: Outcome): Outcome {
		const { values, secretMembers } = this.input;
		const { isSecretMember } = this.service;
		const isSecret = (member: Member): boolean =>
			secretMembers.has(member.name) || isSecretMember?.(member, values.params) === true;
		return outcome.map((result) =>
			isFailure(result) ? result : { ...result, json: withoutSecretMembers(result.json, isSecret) },
		);
	}
}

export const rawResult = (response: ApiResponse): Result => ({
	json: asRecord(response.json ?? response.text) as IDataObject,
});
