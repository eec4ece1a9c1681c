import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiResponse, ItemApi, RequestParts, Result } from '../api-types';
import { failureOf, isFailure, isInDoubt, markInDoubt, type Failure } from '../errors/errors';
import { looksLike } from '../errors/messages';
import { withoutSecretMembers, type Member } from '../errors/secrets';
import { ParameterReader } from '../fields/field';
import { resultSchema, type Operation, type Resource } from '../table/operation';
import { fillMissing } from '../table/record';
import { isList, readInput, type IfExists, type ItemInput, type RunSettings } from '../table/settings';
import {
	findByUrl,
	readPages,
	partsOf,
	requestOf,
	ServiceApi,
	type Caller,
	type Memo,
	type ReadPage,
} from '../transport/api';
import type { Client } from '../transport/client';
import type { Service } from '../transport/service';
import { asRecord, getOrCreate, inSequence, isRecord } from '../values';
import { asListed, createOnce, ensuredIn, ensuredResponse, membersFromBody } from './existing';
import { isOmitted, withDefaults, type Defaults } from './tool';

/** What all items of one execution share. */
export interface Run {
	readonly context: IExecuteFunctions;
	/** The value of a parameter for an item; null if it has none. */
	readonly parameter: (parameter: string, item: number) => unknown;
	readonly service: Service;
	readonly client: Client;
	readonly resource: Resource;
	readonly row: Operation;
	readonly settings: RunSettings;
	/** Default values of the parameters; set where a language model fills them in. */
	readonly defaults?: Defaults;
	readonly memo: Memo;
	/** Messages to show to the user once the run is over. */
	readonly hints: Set<string>;
	/** Of an operation that reads a list: the distinct inputs of its items, as JSON. */
	readonly listInputs: Set<string>;
	/** The lists that writes of this run changed, by account and name. */
	readonly changedLists: Map<string, ChangedList>;
	/** Whether an item failed, so that no other item starts. */
	isStopped: boolean;
}

/**
 * A list as the last response of this run showed it, and the changes of this run that it should contain
 * (`ItemApi.expectStillShown`).
 */
interface ChangedList {
	list: unknown;
	/** By the id of the changed record. A later change replaces an earlier one. */
	readonly changes: Map<unknown, { item: number; isShown(list: unknown): boolean }>;
}

/** The results and failures of one item. */
export type Outcome = Array<Result | Failure>;

/** How far the service got with an item or entry, as far as the node can know. */
export type Stage = 'Done' | 'In doubt' | 'Not done' | 'Not begun';

export const stageOf = (result: Result | Failure | ApiResponse): Stage => {
	if (!isFailure(result)) return 'Done';
	return isInDoubt(result) ? 'In doubt' : 'Not done';
};

/**
 * Does the work of a write after the account's other writes, if the service needs that. Returns undefined if the run was
 * stopped before its turn.
 */
export async function inTurn<Done>(
	run: Run,
	account: () => Promise<string>,
	work: () => Promise<Done>,
): Promise<Done | undefined> {
	const { row, service } = run;
	if (row.method === 'GET' || row.concurrentWrites || !service.writesOneAtATime) return await work();
	return await inSequence(await account(), async () => (run.isStopped ? undefined : await work()));
}

/**
 * One input item: its stage and its outcome. Its parameters and requests are in a `PreparedItem`, which is released
 * when the item is settled, because a run may have 100,000 items.
 */
export class Item {
	/** Undefined until the item is settled. */
	outcome: Outcome | undefined;
	/** The stage of each of its entries, if it has several. */
	entryStages: readonly Stage[] = [];
	/** Whether the service may have done something for the item. */
	private mayHaveActed = false;

	constructor(
		private readonly run: Run,
		private readonly index: number,
	) {}

	/** Reads the parameters, sends the request, and presents the response. */
	async perform(): Promise<void> {
		const { run, index } = this;
		const account = async (): Promise<string> => await run.client.account(index);
		const outcome = await this.guarded(
			async () => await inTurn(run, account, async () => await (await this.prepare()).produce()),
		);
		if (!outcome) return;
		if (outcome.some(isFailure)) this.noteEntries(outcome.map(stageOf));
		this.settle(outcome);
	}

	/** Reads and checks the parameters. */
	async prepare(): Promise<PreparedItem> {
		const { run, index } = this;
		const caller: Caller = {
			item: index,
			advice: 'Correct it and run again',
			hint: (message) => void run.hints.add(message),
			onPossibleWrite: () => this.notePossibleWrite(),
		};
		const api = new ServiceApi(run.client, caller, run.memo);
		const typedSecrets = new Set<string>();
		const reader = readerOf(run, index, api, typedSecrets);
		const input = await readInput(run.row, run.service.options ?? {}, reader);
		if (isList(run.row)) run.listInputs.add(JSON.stringify(input.fields));
		return new PreparedItem(run, caller, input, await partsOf(run.row, input.fields, api), typedSecrets);
	}

	/** Does part of the item's work. If that throws an error, the error becomes the item's outcome. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(this.run.client.node, error, this.index);
			this.settle([this.mayHaveActed ? markInDoubt(failure) : failure]);
			return undefined;
		}
	}

	/** Notes the stages of its entries. */
	noteEntries(stages: Stage[]): void {
		if (stages.length > 1) this.entryStages = stages;
	}

	/** Notes that the service may have done something for the item: if the item fails, it is in doubt. */
	notePossibleWrite(): void {
		this.mayHaveActed = true;
	}

	/** Sets the item's results and failures. A failure stops the run, unless failed items go on. */
	settle(outcome: Outcome): void {
		this.outcome = outcome;
		if (outcome.some(isFailure) && !this.run.context.continueOnFail()) this.run.isStopped = true;
	}

	get stage(): Stage {
		const { outcome, mayHaveActed } = this;
		if (!outcome) return mayHaveActed ? 'In doubt' : 'Not begun';
		const failures = outcome.filter(isFailure);
		if (failures.length === 0) return 'Done';
		const isPartial = failures.length < outcome.length;
		return mayHaveActed || isPartial || failures.some(isInDoubt) ? 'In doubt' : 'Not done';
	}
}

/** A reader of an item's parameters. It adds to `typedSecrets` the members that password fields fill. */
const readerOf = (run: Run, index: number, api: ServiceApi, typedSecrets: Set<string>): ParameterReader => {
	const given = (name: string): unknown => run.parameter(name, index);
	return new ParameterReader(run.defaults ? withDefaults(given, run.defaults) : given, {
		timezone: run.context.getTimezone(),
		parameterError: (...why) => api.parameterError(...why),
		find: async (resource, url) => await findByUrl(api, run.service.table[resource], url),
		hostZone: async () => await run.client.zone(index),
		noteSecret: (member, text) => {
			typedSecrets.add(member);
			run.client.secrets.add(text);
		},
		...(run.defaults && { isBlank: isOmitted }),
	});
};

/** An item with parsed parameters: sends its requests and turns the responses into results. */
export class PreparedItem extends ServiceApi implements ItemApi {
	constructor(
		readonly run: Run,
		caller: Caller,
		private readonly input: ItemInput,
		readonly parts: RequestParts,
		private readonly typedSecrets: ReadonlySet<string>,
	) {
		super(run.client, caller, run.memo);
	}

	get row(): Operation {
		return this.run.row;
	}

	get isRaw(): boolean {
		return this.input.settings.isRaw;
	}

	/** Sends the request and presents the response. */
	async produce(): Promise<Outcome> {
		const { client, item } = this;
		const results = await this.runRow();
		return this.withoutSecrets(
			results.map((result) => (result instanceof Error ? failureOf(client.node, result, item) : result)),
		);
	}

	private async runRow(): Promise<Array<Result | Error>> {
		const { input, parts, row } = this;
		if (row.run) return await row.run(input.fields, this, parts);
		if (row.paging) return await this.readList();
		const response =
			input.settings.ifExists === 'create'
				? await this.ask(row, parts)
				: await this.createUnlessExists(input.settings.ifExists);
		const results = row.present
			? await row.present(input.fields, response, this)
			: [await this.record(response)];
		return await Promise.all(results.map(async (result) => await this.withWholeRecord(result)));
	}

	private async readList(): Promise<Result[]> {
		const results: Result[] = [];
		for await (const page of readPages(this, this.row, this.parts, this.input.settings.limit)) {
			if (page.warning) this.hint(page.warning);
			for (const result of await this.results(page.records, page.response)) results.push(result);
		}
		return results;
	}

	/** With Whole Record, replaces a result by the record as the service lists it. */
	private async withWholeRecord(result: Result): Promise<Result> {
		if (!this.input.settings.wantsWhole) return result;
		return { ...result, json: await asListed(this, this.run.resource, result.json) };
	}

	/** Creates the record unless it exists. */
	private async createUnlessExists(ifExists: IfExists): Promise<ApiResponse> {
		const { resource, row } = this.run;
		const wanted = { resource, row, ifExists, body: this.parts.body };
		const ensured = await createOnce(this, wanted, async () => {
			const attempt = await this.attempt(requestOf(row, this.parts));
			if ('response' in attempt) return { record: (await this.record(attempt.response)).json };
			if (attempt.refused) return { refused: attempt.error };
			throw attempt.error;
		});
		return ensuredResponse(ensured);
	}

	async record(response: ApiResponse): Promise<Result> {
		const ensured = ensuredIn(response);
		if (ensured) return { json: ensured };
		const [result = { json: {} }] = await this.results([this.recordIn(response)], response);
		return result;
	}

	/** The record in a response. After a write, it also has the ids of the path and the values that were sent. */
	private recordIn(response: ApiResponse): Record<string, unknown> {
		const { parts, input, row } = this;
		// Not used: with Raw Response, `results` returns the whole response.
		if (this.isRaw) return {};
		const selected = row.output.select(response, parts.path);
		if (!isRecord(selected)) throw this.unexpected(requestOf(row, parts), looksLike(response));
		if (row.method === 'GET') return selected;
		return {
			...row.output.fromForm?.(input.fields.body),
			...membersFromBody(row, parts.body),
			...(row.output.schema.coerce(selected, response.zone) as IDataObject),
			...(row.existing && { existed: false, differs: [] }),
		};
	}

	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		const { fields, settings } = this.input;
		if (settings.isRaw) return this.rawResults(response);
		const { output } = this.row;
		const { schema, shape } = output;
		const coerced = this.coerced(schema, records, response);
		if (!settings.isShaped) return coerced.map((json) => ({ json }));
		const complete = (await shape?.enrich?.(coerced, response, this)) ?? coerced;
		const shaped = shape
			? complete.map((record) => shape.map(record, response, fields.params, fields.body))
			: complete;
		return shaped.map((json) => ({ json: fillMissing(resultSchema(output), json) }));
	}

	rawResults(response: ApiResponse): Result[] {
		return [{ json: asRecord(response.json ?? response.text) as IDataObject }];
	}

	/** Masks the members that hold a secret: those that the service declares, and those that password fields filled. */
	withoutSecrets(outcome: Outcome): Outcome {
		const { input, typedSecrets } = this;
		const { service } = this.run;
		if (!service.isSecretMember && typedSecrets.size === 0) return outcome;
		const isSecret = (member: Member): boolean =>
			typedSecrets.has(member.name) || (service.isSecretMember?.(member, input.settings.options) ?? false);
		return outcome.map((result) =>
			isFailure(result) ? result : { ...result, json: withoutSecretMembers(result.json, isSecret) },
		);
	}

	limit(): number {
		return this.input.settings.limit;
	}

	async expectStillShown<List>(
		listName: string,
		list: List,
		changedId: unknown,
		isShown: (list: List) => boolean,
	): Promise<void> {
		const key = `${await this.account()} ${listName}`;
		const known = getOrCreate(this.run.changedLists, key, () => ({ list, changes: new Map() }));
		known.list = list;
		known.changes.set(changedId, { item: this.item, isShown });
	}

	async file(bytes: Uint8Array, fileName: string, mimeType: string): Promise<IBinaryData> {
		return await this.run.context.helpers.prepareBinaryData(Buffer.from(bytes), fileName, mimeType);
	}

	async upload(property: string): Promise<{ bytes: Buffer; fileName: string }> {
		const { helpers } = this.run.context;
		const { fileName } = helpers.assertBinaryData(this.item, property);
		const bytes = await helpers.getBinaryDataBuffer(this.item, property);
		return { bytes, fileName: fileName ?? property };
	}

	/** With Raw Response, a page needs no list: the response itself is the result. */
	protected override readPage(response: ApiResponse, read: () => ReadPage): ReadPage {
		if (!this.isRaw) return read();
		try {
			return read();
		} catch {
			return { records: [], response, more: false };
		}
	}
}
