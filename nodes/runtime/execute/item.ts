import type { IBinaryData, IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Answer } from '../exchange';
import { failureOf, isInDoubt, putInDoubt } from '../errors/errors';
import { redactedDeep } from '../errors/secrets';
import { looksLike } from '../errors/messages';
import { Form, readFields, required, secretsIn, type Fields, type Values } from '../fields/field';
import type { Existing } from '../table/listing';
import type { Inputs, Parts, Result, ItemApi } from '../table/operation';
import { complete } from '../table/record';
import { ifExistsField, itemSettings, listSettings, simplifySetting } from '../table/settings';
import { requestOf, ServiceApi, type ReadPage } from '../transport/api';
import { findByUrl, readPages } from '../transport/paging';
import { afterOtherWrites } from '../transport/writes';
import { asRecord, isRecord, quoted } from '../values';
import { givenByModel, isLeftOut, type Run } from './run';
import { asListed, createOnce, sentOf, type IfExists } from './written';

export type Failure = NodeApiError | NodeOperationError;

/** What one item comes to: its results, and what of it failed. */
export type Outcome = Array<Result | Failure>;

export const isFailure = (result: Result | Failure | Answer): result is Failure => result instanceof Error;

/** How far an item has come, as far as anybody can know. */
export type Stage = 'Done' | 'In doubt' | 'Not done' | 'Not begun';

/** One input item on its way: its parameters are read and checked, its request is sent, the answer presented. */
export class Item extends ServiceApi implements ItemApi {
	/** What it came to, once that is known. */
	outcome: Outcome | undefined;
	/** Whether the user wants the service's answer untouched. */
	isRaw = false;
	private isSimple = false;
	/** What the user wants of what only this service offers. */
	private options: Values<Fields> = {};
	/** How many records of a list the user wants. */
	private wanted = Infinity;
	/** Whether records have all members that they declare. */
	private readonly isWhole: boolean;
	/** Whether the user wants what was written as the service lists it. */
	private wantsWhole = false;
	private readonly form: Form;
	inputs: Inputs;

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
		const { typeVersion: version } = run.client.node;
		this.inputs = { path: {}, query: {}, body: {}, form: {}, version };
		this.isWhole = version >= run.service.wholeRecordsSince;
		const given = (name: string): unknown => run.given(name, index);
		this.form = new Form(run.initial ? givenByModel(given, run.initial) : given, {
			timezone: run.context.getTimezone(),
			version,
			refuse: (...why) => this.refuse(...why),
			find: async (resource, url) => await findByUrl(this, run.service.table[resource], url),
			hostZone: async () => await run.client.zone(index),
			conceal: (text) => run.client.secrets.conceal(text),
			...(run.initial && { isBlank: isLeftOut }),
		});
	}

	/** Goes all the way: its parameters are read and checked, its request is sent, the answer presented. */
	async perform(): Promise<void> {
		const results = await this.guarded(
			async () => await this.inTurn(async () => await this.produce(await this.prepare())),
		);
		if (results) this.settle(results);
	}

	/** Does some of the item's work; if it throws, the item comes to that failure. */
	async guarded<Done>(work: () => Promise<Done>): Promise<Done | undefined> {
		try {
			return await work();
		} catch (error) {
			const failure = failureOf(this.client.node, error, this.index);
			this.settle([this.touched ? putInDoubt(failure) : failure]);
			return undefined;
		}
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
		const options = this.form.collection('options', 'Options');
		await this.readSettings(options);
		const collection = this.form.collection(row.collection.name, row.collection.displayName);
		const path = await readFields(row.path, this.form, collection, options);
		const form = await readFields(row.form, this.form, collection, options);
		const query = await readFields(row.query, this.form, collection, options);
		const body = await readFields(row.body, this.form, collection, options);
		this.inputs = { path, query, body, form, version: this.form.version };
		for (const [name, value] of Object.entries(path)) {
			// No encoding keeps these from leading to another address.
			if (/^\.{1,2}$/.test(String(value)))
				throw this.refuse(row.path[name]?.label ?? name, `${quoted(value)} is no ID`);
		}
		const refuse: Form['refuse'] = (...why) => this.refuse(...why);
		const parts: Parts = { path, query, body, ...row.prepare?.(this.inputs, refuse) };
		const takesFields = row.method === 'PUT' && Object.keys(row.body).length > 0;
		if (takesFields && Object.keys(parts.body).length === 0) {
			throw this.invalid('There is nothing to update', 'Add at least one field');
		}
		return { ...parts, ...(await row.check?.(this.inputs, this, parts)) };
	}

	private async readSettings(options: Form): Promise<void> {
		const { row, service } = this.run;
		this.isRaw = (await itemSettings.rawAnswer.read(options, 'rawAnswer')) ?? false;
		const isWanted = await itemSettings.wholeRecord.read(options, 'wholeRecord');
		this.wantsWhole = isWanted === true && this.isWhole && !this.isRaw && row.output.sent !== undefined;
		this.options = await readFields(service.options ?? {}, this.form, options);
		this.isSimple =
			row.output.simple !== undefined && (await simplifySetting.read(this.form, 'simplify')) !== false;
		if (!row.paging && !row.limited) return;
		const all = await listSettings.returnAll.read(this.form, 'returnAll');
		this.wanted = all ? Infinity : await required(listSettings.limit).read(this.form, 'limit');
	}

	private async produce(parts: Parts): Promise<Result[]> {
		const { row } = this.run;
		if (row.run) return await row.run(this.inputs, this, parts);
		if (row.paging) return await this.list(parts);
		const ifExists = row.existing && (await ifExistsField(row.existing).read(this.form, 'ifExists'));
		if (row.existing && ifExists && ifExists !== 'create') {
			return [await this.listed({ json: await this.create(row.existing, parts, ifExists) })];
		}
		const answer = await this.ask(row, parts);
		const [result = { json: {} }] = await this.present(answer, parts);
		const picked = row.output.pick(answer, parts.path);
		const binary = isRecord(picked) && (await row.files?.(this.inputs, picked as IDataObject, this));
		const written = await this.listed({ ...result, ...(binary && { binary }) });
		if (!row.items || this.isRaw) return [written];
		return row.items(this.inputs, written.json).map((json) => ({ json }));
	}

	private async list(parts: Parts): Promise<Result[]> {
		const results: Result[] = [];
		for await (const page of readPages(this, this.run.row, parts, this.limit())) {
			if (page.notice) this.hint(page.notice);
			results.push(...(await this.results(page.records, page.answer)));
		}
		return results;
	}

	/** The same as the service lists it, if that is wanted. */
	private async listed(result: Result): Promise<Result> {
		if (!this.wantsWhole) return result;
		return { ...result, json: await asListed(this, this.run.resource, result.json) };
	}

	private async create(existing: Existing, parts: Parts, ifExists: IfExists): Promise<IDataObject> {
		const { resource, row } = this.run;
		const wanted = { resource, row, existing, ifExists, body: parts.body, isWhole: this.isWhole };
		return await createOnce(this, wanted, async () => {
			const attempt = await this.attempt(requestOf(row, parts));
			if ('answer' in attempt) {
				const [created] = await this.present(attempt.answer, parts);
				return { record: created?.json ?? {} };
			}
			if (attempt.refused) return { refused: attempt.error };
			throw attempt.error;
		});
	}

	/** The record of an answer; what was written is told together with the ids it was written to, and what was sent. */
	private async present(answer: Answer, parts: Parts): Promise<Result[]> {
		const { row } = this.run;
		const picked = this.isRaw ? {} : row.output.pick(answer, parts.path);
		if (!isRecord(picked)) throw this.unexpected(requestOf(row, parts), looksLike(answer));
		if (!this.isWhole || this.isRaw || row.method === 'GET') return await this.results([picked], answer);
		const known = {
			...sentOf(row, parts.body),
			...(row.output.kind.tidy(picked, answer.zone) as IDataObject),
		};
		return await this.results([{ ...known, ...(row.existing && { existed: false, differs: [] }) }], answer);
	}

	/** Ends the way. Secrets never come out: neither those the user typed, nor those an answer brings unasked. */
	settle(outcome: Outcome): void {
		const { row, service, client, context } = this.run;
		const typed = secretsIn(row.body, this.inputs.body);
		const clean = (json: IDataObject): IDataObject => {
			const masked = client.secrets.withoutKeys(service.mask?.(json, this.options) ?? json);
			return typed.length > 0 ? redactedDeep(masked, typed) : masked;
		};
		this.outcome = outcome.map((result) =>
			isFailure(result) ? result : { ...result, json: clean(result.json) },
		);
		if (outcome.some(isFailure) && !context.continueOnFail()) this.run.isStopped = true;
	}

	/** How far it has come. */
	get stage(): Stage {
		const { outcome, touched } = this;
		if (!outcome) return touched ? 'In doubt' : 'Not begun';
		const failures = outcome.filter(isFailure);
		if (failures.length === 0) return 'Done';
		const isPartial = failures.length < outcome.length;
		return touched || isPartial || failures.some(isInDoubt) ? 'In doubt' : 'Not done';
	}

	/** The service may have done something for it. */
	touch(): void {
		this.touched = true;
	}

	/** Sends a request for these entries of a batch in the name of this item: its answer, or why it failed. */
	async askFor(entries: string[], parts: Parts): Promise<Answer | Failure> {
		const { row } = this.run;
		let isDone = false;
		const ask = async (asked: Parts): Promise<Answer> => {
			const answer = await this.ask(row, asked);
			isDone = row.method !== 'GET';
			return answer;
		};
		try {
			return await (row.batch?.send?.(entries, this, parts, ask) ?? ask(parts));
		} catch (error) {
			// What comes after it failed, not the request itself.
			const failure = failureOf(this.client.node, error, this.index);
			return isDone ? putInDoubt(failure) : failure;
		}
	}

	async results(records: Array<Record<string, unknown>>, answer: Answer): Promise<Result[]> {
		if (this.isRaw) return [{ json: asRecord(answer.json ?? answer.text) as IDataObject }];
		const { kind, simple, whole } = this.run.row.output;
		const tidied = this.tidied(kind, records, answer);
		if (simple && !this.isSimple) return tidied.map((json) => ({ json }));
		const form = (this.isWhole && whole) || simple;
		const completed = (await form?.complete?.(tidied, answer, this)) ?? tidied;
		const { form: wanted, body: sent } = this.inputs;
		const shaped = form ? completed.map((record) => form.of(record, answer, wanted, sent)) : completed;
		return shaped.map((json) => ({ json: this.isWhole ? complete((form ?? { kind }).kind, json) : json }));
	}

	/** What an answer tells of an entry that it has no record of. */
	async noticed(notice: IDataObject, answer: Answer): Promise<Result[]> {
		return this.isWhole ? await this.results([notice], answer) : [{ json: notice }];
	}

	limit(): number {
		return this.wanted;
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

	/** Wanted raw, an answer needs no shape that is known. */
	protected override readPage(answer: Answer, read: () => ReadPage): ReadPage {
		if (!this.isRaw) return read();
		try {
			return read();
		} catch {
			return { records: [], answer, more: false };
		}
	}
}
