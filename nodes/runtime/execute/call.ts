import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { ApiResponse } from '../http-types';
import { failureOf, markInDoubt } from '../errors/errors';
import { redactedDeep } from '../errors/secrets';
import { looksLike } from '../errors/messages';
import { ParameterReader, readFields, required, secretsIn, type Fields, type Values } from '../fields/field';
import type { Existing } from '../table/listing';
import {
	resultSchema,
	type Inputs,
	type ItemApi,
	type Operation,
	type RequestParts,
	type Resource,
	type Result,
} from '../table/operation';
import { fillMissing } from '../table/record';
import { ifExistsField, itemSettings, listSettings, simplifySetting, type Settings } from '../table/settings';
import { findByUrl, readPages, requestOf, ServiceApi, type Memo, type ReadPage } from '../transport/api';
import type { Client } from '../transport/client';
import type { Service } from '../transport/service';
import { afterOtherWrites } from '../transport/throttle';
import { asRecord, isRecord, quoted } from '../values';
import type { ChangedLists } from './changed-lists';
import { asListed, createOnce, sentOf, type IfExists } from './existing';
import { isLeftOut, withDefaults, type Defaults } from './tool';

/** What the items of one execution share. */
export interface Run {
	readonly context: IExecuteFunctions;
	/** The value of a parameter for an item; null if it has none. */
	readonly given: (parameter: string, item: number) => unknown;
	readonly service: Service;
	readonly client: Client;
	readonly resource: Resource;
	readonly row: Operation;
	readonly settings: Settings;
	/** The defaults of the parameters, where a model fills them in. */
	readonly defaults?: Defaults;
	readonly memo: Memo;
	/** Messages to show to the user once the run is over. */
	readonly hints: Set<string>;
	/** The inputs of all items of a list, as JSON: one entry if they are the same for all. */
	readonly listsRead: Set<string>;
	readonly changedLists: ChangedLists;
	/** An item failed, and no other is to be begun. */
	isStopped: boolean;
}

export type Failure = NodeApiError | NodeOperationError;

/** What one item comes to: its results, and what of it failed. */
export type Outcome = Array<Result | Failure>;

export const isFailure = (result: Result | Failure | ApiResponse): result is Failure =>
	result instanceof Error;

/** What an item's options say about its results. */
interface Presentation {
	/** The service's response, untouched. */
	isRaw: boolean;
	isSimple: boolean;
	/** What was written, as the service lists it. */
	wantsWhole: boolean;
	/** How many records of a list. */
	limit: number;
	/** Options of this service alone. */
	options: Values<Fields>;
}

const NO_RESPONSE: ApiResponse = {
	...{ host: '', status: 200, headers: {}, bytes: Buffer.alloc(0), text: '', json: undefined },
};

/** The parameters of one item, and its requests. */
export class ItemCall extends ServiceApi implements ItemApi {
	override mayHaveActed = false;
	private readonly reader: ParameterReader;
	private inputs: Inputs = { path: {}, query: {}, body: {}, params: {} };
	private parts: RequestParts = this.inputs;
	/** The record that If Exists found or created. It may come without a response of its own. */
	private ensured: Result | undefined;
	private presentation: Presentation = {
		...{ isRaw: false, isSimple: true, wantsWhole: false, limit: Infinity, options: {} },
	};

	constructor(
		private readonly run: Run,
		private readonly index: number,
	) {
		const asker = {
			item: index,
			mention: ` [item ${index}]`,
			advice: 'Correct it and run again',
			hint: (message: string) => void run.hints.add(message),
		};
		super(run.client, asker, run.memo);
		const given = (name: string): unknown => run.given(name, index);
		this.reader = new ParameterReader(run.defaults ? withDefaults(given, run.defaults) : given, {
			timezone: run.context.getTimezone(),
			parameterError: (...why) => this.parameterError(...why),
			find: async (resource, url) => await findByUrl(this, run.service.table[resource], url),
			hostZone: async () => await run.client.zone(index),
			conceal: (text) => run.client.secrets.conceal(text),
			...(run.defaults && { isBlank: isLeftOut }),
		});
	}

	get isRaw(): boolean {
		return this.presentation.isRaw;
	}

	/** Does the work once no other write of the account is under way; undefined if the run was stopped by then. */
	async inTurn<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		const { row, service } = this.run;
		if (row.method === 'GET' || row.concurrentWrites || !service.writesOneAtATime) return await work();
		const unlessStopped = async (): Promise<Done | undefined> =>
			this.run.isStopped ? undefined : await work();
		return await afterOtherWrites(await this.account(), unlessStopped);
	}

	/** Reads and checks the parameters, and returns what is to be sent. */
	async prepare(): Promise<RequestParts> {
		const { row } = this.run;
		const options = this.reader.collection('options', 'Options');
		this.presentation = await this.presentationOf(options);
		const collection = this.reader.collection(row.collection.name, row.collection.displayName);
		const path = await readFields(row.path, this.reader, collection, options);
		const params = await readFields(row.params, this.reader, collection, options);
		const query = await readFields(row.query, this.reader, collection, options);
		const body = await readFields(row.body, this.reader, collection, options);
		this.inputs = { path, query, body, params };
		if (row.paging || row.limited) this.run.listsRead.add(JSON.stringify(this.inputs));
		for (const [name, value] of Object.entries(path)) {
			// No encoding keeps these from leading to another address.
			if (/^\.{1,2}$/.test(String(value)))
				throw this.parameterError(row.path[name]?.label ?? name, `${quoted(value)} is not an ID`);
		}
		const parts: RequestParts = { path, query, body, ...(await row.prepare?.(this.inputs, this)) };
		const takesFields = row.method === 'PUT' && Object.keys(row.body).length > 0;
		if (takesFields && Object.keys(parts.body).length === 0) {
			throw this.inputError('There is nothing to update', 'Add at least one field');
		}
		this.parts = parts;
		return parts;
	}

	private async presentationOf(options: ParameterReader): Promise<Presentation> {
		const { row, service } = this.run;
		const isRaw = (await itemSettings.rawResponse.read(options, 'rawResponse')) ?? false;
		const wantsWhole = (await itemSettings.wholeRecord.read(options, 'wholeRecord')) ?? false;
		const ofService = await readFields(service.options ?? {}, this.reader, options);
		const { shape, sent } = row.output;
		return {
			isRaw,
			wantsWhole: wantsWhole && !isRaw && sent !== undefined,
			isSimple: !shape?.optional || (await simplifySetting.read(this.reader, 'simplify')) !== false,
			limit: row.paging || row.limited ? await this.readLimit() : Infinity,
			options: ofService,
		};
	}

	private async readLimit(): Promise<number> {
		const all = await listSettings.returnAll.read(this.reader, 'returnAll');
		return all ? Infinity : await required(listSettings.limit).read(this.reader, 'limit');
	}

	/** Sends the request and presents the response. */
	async produce(parts: RequestParts): Promise<Result[]> {
		const { row } = this.run;
		if (row.run) return await row.run(this.inputs, this, parts);
		if (row.paging) return await this.list(parts);
		const ifExists = row.existing && (await ifExistsField(row.existing).read(this.reader, 'ifExists'));
		if (row.existing && ifExists && ifExists !== 'create') {
			this.ensured = { json: await this.create(row.existing, parts, ifExists) };
			return await this.present(NO_RESPONSE);
		}
		return await this.present(await this.ask(row, parts));
	}

	private async present(response: ApiResponse): Promise<Result[]> {
		const { row } = this.run;
		const results = row.present
			? await row.present(this.inputs, response, this)
			: [await this.record(response)];
		return await Promise.all(results.map(async (result) => await this.listed(result)));
	}

	private async list(parts: RequestParts): Promise<Result[]> {
		const results: Result[] = [];
		for await (const page of readPages(this, this.run.row, parts, this.limit())) {
			if (page.warning) this.hint(page.warning);
			for (const result of await this.results(page.records, page.response)) results.push(result);
		}
		return results;
	}

	/** The result as the service lists it, if the user wants that. */
	private async listed(result: Result): Promise<Result> {
		if (!this.presentation.wantsWhole) return result;
		return { ...result, json: await asListed(this, this.run.resource, result.json) };
	}

	private async create(existing: Existing, parts: RequestParts, ifExists: IfExists): Promise<IDataObject> {
		const { resource, row } = this.run;
		const wanted = { resource, row, existing, ifExists, body: parts.body };
		return await createOnce(this, wanted, async () => {
			const attempt = await this.attempt(requestOf(row, parts));
			if ('response' in attempt) {
				return { record: (await this.record(attempt.response)).json };
			}
			if (attempt.refused) return { refused: attempt.error };
			throw attempt.error;
		});
	}

	async record(response: ApiResponse): Promise<Result> {
		if (this.ensured) return this.ensured;
		const [result = { json: {} }] = await this.results([this.recordIn(response)], response);
		return result;
	}

	/** The record in a response; one that was written with the ids in the path and with what was sent. */
	private recordIn(response: ApiResponse): Record<string, unknown> {
		const { parts, run } = this;
		const { row } = run;
		const picked = this.isRaw ? {} : row.output.select(response, parts.path);
		if (!isRecord(picked)) throw this.unexpected(requestOf(row, parts), looksLike(response));
		if (this.isRaw || row.method === 'GET') return picked;
		return {
			...row.output.implied?.(this.inputs.body),
			...sentOf(row, parts.body),
			...(row.output.schema.coerce(picked, response.zone) as IDataObject),
			...(row.existing && { existed: false, differs: [] }),
		};
	}

	/** Removes secrets: those that the user typed, and those that a response contains unasked. */
	withoutSecrets(json: IDataObject): IDataObject {
		const { row, service, client } = this.run;
		const typed = secretsIn(row.body, this.inputs.body);
		const masked = client.secrets.withoutKeys(service.mask?.(json, this.presentation.options) ?? json);
		return typed.length > 0 ? redactedDeep(masked, typed) : masked;
	}

	/** Sends a request for these entries of a batch in the name of this item: the response, or why it failed. */
	async askFor(entries: string[], parts: RequestParts): Promise<ApiResponse | Failure> {
		const { row } = this.run;
		let isDone = false;
		const ask = async (asked: RequestParts): Promise<ApiResponse> => {
			const response = await this.ask(row, asked);
			isDone = row.method !== 'GET';
			return response;
		};
		try {
			return await (row.batch?.send?.(entries, this, parts, ask) ?? ask(parts));
		} catch (error) {
			// What followed the request failed, not the request.
			const failure = failureOf(this.client.node, error, this.index);
			return isDone ? markInDoubt(failure) : failure;
		}
	}

	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		if (this.isRaw) return [{ json: asRecord(response.json ?? response.text) as IDataObject }];
		const { output } = this.run.row;
		const { schema, shape } = output;
		const tidied = this.tidied(schema, records, response);
		if (!this.presentation.isSimple) return tidied.map((json) => ({ json }));
		const completed = (await shape?.enrich?.(tidied, response, this)) ?? tidied;
		const { params: wanted, body: sent } = this.inputs;
		const shaped = shape ? completed.map((record) => shape.map(record, response, wanted, sent)) : completed;
		return shaped.map((json) => ({ json: fillMissing(resultSchema(output), json) }));
	}

	limit(): number {
		return this.presentation.limit;
	}

	async expectKept<State>(
		list: string,
		state: State,
		changed: unknown,
		isShown: (state: State) => boolean,
	): Promise<void> {
		this.run.changedLists.note(this.index, `${await this.account()} ${list}`, state, changed, isShown);
	}

	async file(bytes: Uint8Array, fileName: string, mimeType: string): Promise<IBinaryData> {
		return await this.run.context.helpers.prepareBinaryData(Buffer.from(bytes), fileName, mimeType);
	}

	async upload(property: string): Promise<{ bytes: Buffer; fileName: string }> {
		const { helpers } = this.run.context;
		const { fileName } = helpers.assertBinaryData(this.index, property);
		const bytes = await helpers.getBinaryDataBuffer(this.index, property);
		return { bytes, fileName: fileName ?? property };
	}

	/** A raw response may have any shape. */
	protected override readPage(response: ApiResponse, read: () => ReadPage): ReadPage {
		if (!this.isRaw) return read();
		try {
			return read();
		} catch {
			return { records: [], response, more: false };
		}
	}
}
