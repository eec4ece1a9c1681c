import {
	NodeOperationError,
	type IBinaryData,
	type IDataObject,
	type IExecuteFunctions,
	type NodeApiError,
} from 'n8n-workflow';
import { redactedDeep } from '../errors/errors';
import { looksLike } from '../errors/messages';
import { Form, readFields, type Fields } from '../fields/field';
import type { Existing, Inputs, Operation, Parts, Resource, Result, ItemApi } from '../table/operation';
import { ifExistsField } from '../table/settings';
import { ServiceApi, type Memo } from '../transport/api';
import type { Client } from '../transport/client';
import { requestOf, type Answer } from '../transport/http';
import { findByUrl, listOf, readPages } from '../transport/paging';
import type { Service } from '../transport/service';
import { afterOtherWrites } from '../transport/writes';
import { isBlank, isRecord, parseJson, toBoolean, toInteger } from '../values';
import { ExistingRecords } from './existing';

export type Failure = NodeApiError | NodeOperationError;

/** What one item comes to: its results, and what of it failed. */
export type Outcome = Array<Result | Failure>;

export const isFailure = (result: Result | Failure | Answer): result is Failure => result instanceof Error;

/** What the items of one execution share. */
export interface Run {
	readonly context: IExecuteFunctions;
	readonly service: Service;
	readonly client: Client;
	readonly resource: Resource;
	readonly row: Operation;
	readonly memo: Memo;
	/** What the user is told once it is over. */
	readonly hints: Set<string>;
	/** An item failed, and no other is to be begun. */
	isStopped: boolean;
}

/** One input item on its way: its parameters are read and checked, its request is sent, the answer presented. */
export class Item extends ServiceApi implements ItemApi {
	/** What it came to, once that is known. */
	outcome: Outcome | undefined;
	private readonly form: Form;
	private inputs: Inputs = { path: {}, query: {}, body: {}, form: {} };

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
		this.form = new Form((name) => run.context.getNodeParameter(name, index, null), {
			timezone: run.context.getTimezone(),
			refuse: (...why) => this.refuse(...why),
			find: async (resource, url) => await findByUrl(this, run.service.table[resource], url),
			conceal: (text) => run.client.conceal(text),
		});
	}

	/** Goes all the way. */
	async perform(): Promise<void> {
		const perform = async (): Promise<Result[]> => await this.produce(await this.prepare());
		const results = await this.guarded(async () => await this.inTurn(perform));
		if (results) this.settle(results);
	}

	/** Does the work of a row when no other write forbids it; undefined if the run was stopped until then. */
	async inTurn<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		const { row, service } = this.run;
		if (row.method === 'GET' || row.besideOthers || !service.writesOneAtATime) return await work();
		const unlessStopped = async (): Promise<Done | undefined> =>
			this.run.isStopped ? undefined : await work();
		return await afterOtherWrites(await this.account(), unlessStopped);
	}

	/** Reads and checks the parameters: what is to be sent. Throws if they can't be used. */
	async prepare(): Promise<Parts> {
		const { row } = this.run;
		const { path, query, body } = (this.inputs = await readInputs(row, this.form));
		const refuse: Form['refuse'] = (...why) => this.refuse(...why);
		const parts: Parts = { path, query, body, ...row.prepare?.(this.inputs, refuse) };
		const takesFields = row.method === 'PUT' && Object.keys(row.body).length > 0;
		if (takesFields && Object.keys(parts.body).length === 0) {
			throw this.invalid('There is nothing to update', 'Add at least one field');
		}
		return { ...parts, ...(await row.check?.(this.inputs, this, parts)) };
	}

	/** Does some of the item's work; if it throws, the item comes to that failure. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		try {
			return await work();
		} catch (error) {
			this.settle([this.failureOf(error)]);
			return undefined;
		}
	}

	/** Ends the way. Secrets never come out: neither those the user typed, nor those an answer brings unasked. */
	settle(outcome: Outcome): void {
		const { row, service, context } = this.run;
		const secrets = secretsIn(row.body, this.inputs.body);
		const clean = (json: IDataObject): IDataObject => {
			const masked = service.mask?.(json, this.option('includeSecrets')) ?? json;
			return secrets.length > 0 ? redactedDeep(masked, secrets) : masked;
		};
		this.outcome = outcome.map((result) =>
			isFailure(result) ? result : { ...result, json: clean(result.json) },
		);
		if (outcome.some(isFailure) && !context.continueOnFail()) this.run.isStopped = true;
	}

	/** Sends a request in the name of this item: its answer, or why it failed. */
	async attempt(parts: Parts): Promise<Answer | Failure> {
		const attempt = await this.client.attempt(requestOf(this.run.row, parts), this.index);
		return 'answer' in attempt ? attempt.answer : attempt.error;
	}

	results(records: Array<Record<string, unknown>>, answer: Answer): Result[] {
		if (this.isRaw) return [{ json: asObject(answer.json ?? answer.text) }];
		return records.map((record) => ({ json: this.simplified(this.tidied(record), answer) }));
	}

	limit(): number {
		if (toBoolean(this.form.get('returnAll'))) return Infinity;
		const limit = toInteger(this.form.get('limit'));
		if (limit !== undefined && limit > 0) return limit;
		throw this.refuse('Limit', `"${String(this.form.get('limit'))}" is not a whole number above 0`);
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

	option(name: string): unknown {
		return (this.run.context.getNodeParameter('options', this.index, {}) as IDataObject)[name];
	}

	get isRaw(): boolean {
		return toBoolean(this.option('rawAnswer')) ?? false;
	}

	private async produce(parts: Parts): Promise<Result[]> {
		const { row } = this.run;
		if (row.run) return await row.run(this.inputs, this, parts);
		if (row.paging) return await this.list(parts);
		const ifExists = row.existing && (await ifExistsField(row.existing).read(this.form, 'ifExists'));
		if (row.existing && ifExists && ifExists !== 'create') {
			return [{ json: await this.createOnce(row.existing, parts, ifExists) }];
		}
		const answer = await this.ask(row, parts);
		return [{ json: this.present(answer, parts) }];
	}

	private async list(parts: Parts): Promise<Result[]> {
		const results: Result[] = [];
		for await (const page of readPages(this, this.run.row, parts, this.limit())) {
			if (page.notice) this.hint(page.notice);
			results.push(...this.results(page.records, page.answer));
		}
		return results;
	}

	private async createOnce(
		existing: Existing,
		parts: Parts,
		ifExists: 'fail' | 'return',
	): Promise<IDataObject> {
		const { resource, row } = this.run;
		const records = await this.once(
			'existing',
			async () => new ExistingRecords(existing, listOf(resource).row),
		);
		const { record, existed } = await records.ensure(this, parts.body, async () => {
			const attempt = await this.client.attempt(requestOf(row, parts), this.index);
			if ('answer' in attempt) return { record: this.present(attempt.answer, parts) };
			if (attempt.refused) return { refused: attempt.error };
			throw attempt.error;
		});
		if (existed && ifExists === 'fail') {
			throw this.invalid(
				`${resource.name} ${String(record.id)} already exists ${existing.sameness}`,
				'Nothing was created. Choose another If Exists to create another or to get the existing one',
			);
		}
		return existed ? { ...record, existed } : record;
	}

	/** The record of an answer; what was written is told together with the ids it was written to. */
	private present(answer: Answer, parts: Parts): IDataObject {
		const { row } = this.run;
		if (this.isRaw) return asObject(answer.json ?? answer.text);
		const picked = row.output.pick(answer, parts.path);
		if (isRecord(picked)) return this.simplified(this.tidied(picked), answer);
		throw this.unexpected(requestOf(row, parts), looksLike(answer));
	}

	private tidied(record: Record<string, unknown>): IDataObject {
		return this.run.row.output.kind.tidy(record) as IDataObject;
	}

	private simplified(record: IDataObject, answer: Answer): IDataObject {
		const { simple } = this.run.row.output;
		if (!simple || toBoolean(this.form.get('simplify')) === false) return record;
		return simple.of(record, answer, this.inputs.form);
	}

	private failureOf(error: unknown): Failure {
		if (error instanceof Error && ['NodeApiError', 'NodeOperationError'].includes(error.name)) {
			return error as Failure;
		}
		return new NodeOperationError(this.client.node, error as Error, { itemIndex: this.index });
	}
}

/** What one item holds for a row: optional fields stand in a collection of their own. */
async function readInputs(row: Operation, form: Form): Promise<Inputs> {
	const { name, displayName } = row.collection;
	const collection = form.within(membersOf(form.get(name), form, displayName));
	const read = async (fields: Fields): Promise<Record<string, unknown>> =>
		await readFields(fields, form, collection);
	return {
		path: await read(row.path),
		form: await read(row.form),
		query: await read(row.query),
		body: await read(row.body),
	};
}

/** The members of a collection, which an expression may also give as JSON; none where nothing was added. */
function membersOf(collection: unknown, form: Form, displayName: string): Record<string, unknown> {
	if (isBlank(collection)) return {};
	const members = typeof collection === 'string' ? parseJson(collection) : collection;
	if (isRecord(members)) return members;
	throw form.refuse(displayName, 'is not a set of fields', 'Use an object such as { "name": "value" }');
}

const asObject = (json: unknown): IDataObject =>
	isRecord(json) ? (json as IDataObject) : ({ data: json } as IDataObject);

const secretsIn = (fields: Fields, values: Record<string, unknown>): string[] =>
	Object.entries(fields).flatMap(([name, field]) =>
		field.secret && values[name] ? [String(values[name])] : [],
	);
