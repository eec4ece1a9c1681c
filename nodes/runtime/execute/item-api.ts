import type { IBinaryData, IDataObject, NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ItemApi, Paging, Result } from '../api-types';
import { isFailure } from '../errors/errors';
import { looksLike, refusal } from '../errors/messages';
import { withoutSecretMembers, type Member } from '../errors/secrets';
import { membersFromBody, resultSchema, type Operation } from '../table/operation';
import { fillMissing } from '../table/record';
import { ServiceApi, type Caller } from '../transport/api';
import { isSafe, requestOf } from '../transport/request';
import { asRecord, isBlank, isRecord, omit } from '../values';
import type { Ensured } from './existing';
import type { ItemInput } from './item-input';
import type { Run } from './run';
import type { Outcome } from './stages';

/** What the code of a row can ask for: the service, results of its responses, settings and files. */
export class ItemServiceApi extends ServiceApi implements ItemApi {
	readonly row: Operation;
	readonly isRaw: boolean;

	constructor(
		private readonly run: Run,
		caller: Caller,
		private readonly input: ItemInput,
	) {
		super(run.client, caller);
		const { row } = run;
		this.isRaw = input.settings.isRaw;
		this.row = this.isRaw && row.paging ? { ...row, paging: acceptingAll(row.paging) } : row;
	}

	limit(): number {
		return this.input.settings.limit;
	}

	refusal(words: string, about: string): NodeApiError {
		const { service } = this.run.client;
		const advice = `This is about ${about}.`;
		return this.errorOf(refusal(service.name, this.row, { words, advice, class: 'undone' }));
	}

	async record(response: ApiResponse): Promise<Result> {
		if (this.isRaw) return rawResult(response);
		const [result = { json: {} }] = await this.results([this.recordIn(response)], response);
		return result;
	}

	/** The record in a response. After a write, it also has the values that were sent. */
	recordIn(response: ApiResponse): IDataObject {
		const { row } = this;
		const { parts } = this.input;
		const selected = row.output.select(response, parts.path);
		if (!isRecord(selected)) throw this.unexpected(requestOf(row, parts), response, looksLike(response));
		if (isSafe(row)) return selected as IDataObject;
		if (row.existing && isBlank(selected.id)) {
			this.hint(`The service confirmed this but returned no ID: ${row.action}`);
		}
		return {
			...row.output.initial?.(),
			...membersFromBody(row.output, parts.body),
			...(row.output.schema.coerce(selected, response.zone) as IDataObject),
			...(row.existing && { existed: false, differs: [] }),
		};
	}

	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		if (this.isRaw) return [rawResult(response)];
		const { settings, fields } = this.input;
		const { schema, shape } = this.row.output;
		const coerced = this.coerced(schema, records, response);
		if (!settings.isShaped) return coerced.map((json) => ({ json }));
		const complete = (await shape?.enrich?.(coerced, response, this)) ?? coerced;
		const shaped = shape
			? complete.map((record) => shape.map(record, response, fields.params, fields.body))
			: complete;
		return shaped.map((json) => ({ json: fillMissing(resultSchema(this.row.output), json) }));
	}

	/** The record of an item with If Exists. With Raw Response, the response to its write. */
	ensured({ record, existed, differs, response }: Ensured): Result {
		if (!this.isRaw) {
			return { json: { ...fillMissing(this.row.output.schema, record), existed, differs } };
		}
		if (response) return rawResult(response);
		return { json: { message: 'The record exists: no request was sent for this item', id: record.id } };
	}

	/** The outcome without secrets: masks the members that the service declares and those that password fields filled. */
	withoutSecrets(outcome: Outcome): Outcome {
		const { fields, typedSecrets } = this.input;
		const { isSecretMember } = this.run.client.service;
		if (!isSecretMember && typedSecrets.size === 0) return outcome;
		const isSecret = (member: Member): boolean =>
			typedSecrets.has(member.name) || isSecretMember?.(member, fields.params) === true;
		return outcome.map((result) =>
			isFailure(result) ? result : { ...result, json: withoutSecretMembers(result.json, isSecret) },
		);
	}

	async file(bytes: Uint8Array, fileName: string, mimeType: string): Promise<IBinaryData> {
		return await this.run.helpers.prepareBinaryData(Buffer.from(bytes), fileName, mimeType);
	}

	async upload(property: string): Promise<{ bytes: Buffer; fileName: string }> {
		const { helpers } = this.run;
		const { fileName } = helpers.assertBinaryData(this.item, property);
		const bytes = await helpers.getBinaryDataBuffer(this.item, property);
		return { bytes, fileName: fileName ?? property };
	}
}

export const rawResult = (response: ApiResponse): Result => ({
	json: asRecord(response.json ?? response.text) as IDataObject,
});

const NO_RECORDS = { records: [], more: false };

/** Reads a page without a list of records as an empty one. Without `size`, pages don't overlap: a raw one shows all entries. */
const acceptingAll = (paging: Paging): Paging => ({
	...paging,
	read: (...page) => {
		const listed = paging.read(...page);
		const records = listed?.records.filter(isRecord) ?? [];
		if (!listed || (records.length === 0 && listed.records.length > 0)) return NO_RECORDS;
		return { ...listed, records, counts: listed.counts && omit(listed.counts, 'size') };
	},
});
