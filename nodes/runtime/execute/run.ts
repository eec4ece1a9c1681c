import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { Batches } from './batch';
import { Client } from '../transport/client';
import { ExistingRecords, ifExists, type Maker } from './existing';
import { apiError, inputError, redactedDeep } from '../errors/errors';
import type { Fields, Form } from '../fields/field';
import { formOf, readInputs } from './parameters';
import { ServiceApi, type Api, type Memo } from '../transport/api';
import { findByUrl, readPages, recordsOf } from '../transport/paging';
import type { Failure, Order, Outcome, Unit } from './outcome';
import { requestOf } from '../transport/request';
import type { Batch, Existing, Operation, Parts, Resource, Result, Tools } from '../table/operation';
import type { Service } from '../transport/service';
import type { Answer } from '../transport/http';
import { isRecord, toBoolean, toInteger } from '../values';
import { looksLike, unexpectedAnswer } from '../errors/messages';

export const DEFAULT_CONCURRENCY = 3;
export const DEFAULT_MAX_WAIT_S = 600;

/** One execution of a node: what its items share, and how each becomes results. */
export class Run {
	readonly concurrency: number;
	private readonly client: Client;
	private readonly resource: Resource;
	private readonly row: Operation;
	/** What exists in each account: items with accounts of their own share no records. */
	private readonly existing = new Map<string, ExistingRecords>();
	private readonly hints = new Set<string>();
	private readonly memo: Memo = new Map();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly service: Service,
	) {
		const options = this.options(0);
		this.concurrency = Math.max(toInteger(options.concurrency) ?? DEFAULT_CONCURRENCY, 1);
		const maxWaitS = toInteger(options.maximumWait) ?? DEFAULT_MAX_WAIT_S;
		this.client = new Client(context, service.dialect, { maxWaitMs: maxWaitS * 1000 });
		this.resource = this.chosen('resource', service.table);
		this.row = this.chosen('operation', this.resource.operations);
	}

	/** The pieces of work that `count` items make. */
	async units(count: number): Promise<Unit[]> {
		const items = Array.from({ length: count }, (_, item) => item);
		if (this.row.batch) return await this.batched(this.row.batch, items);
		return items.map((item) => async () => [
			[item, await this.caught(item, async () => await this.results(await this.order(item)))],
		]);
	}

	/** Tells the user what the items don't: waits that made the run long, and what the service said beside them. */
	report(): void {
		if (this.client.waited >= 1000) {
			const seconds = Math.round(this.client.waited / 1000);
			this.hints.add(`Waited ${seconds} s in all for the rate limit of ${this.service.dialect.service}`);
		}
		const hints = [...this.hints].map((message) => ({ message, location: 'outputPane' as const }));
		if (hints.length > 0) this.context.addExecutionHints(...hints);
	}

	private options(item: number): IDataObject {
		return this.context.getNodeParameter('options', item, {}) as IDataObject;
	}

	private chosen<Entry>(parameter: string, entries: Record<string, Entry>): Entry {
		const name = String(this.context.getNodeParameter(parameter, 0, ''));
		const entry = entries[name];
		if (entry) return entry;
		throw inputError(
			this.context.getNode(),
			`There is no ${parameter} "${name}"`,
			`Use one of: ${Object.keys(entries).join(', ')}`,
		);
	}

	/** What an item comes to when its work may throw. */
	private async caught(item: number, work: () => Promise<Outcome>): Promise<Outcome> {
		try {
			return await work();
		} catch (error) {
			return [this.failureOf(error, item)];
		}
	}

	private failureOf(error: unknown, item: number): Failure {
		if (error instanceof Error && ['NodeApiError', 'NodeOperationError'].includes(error.name)) {
			return error as Failure;
		}
		return new NodeOperationError(this.context.getNode(), error as Error, { itemIndex: item });
	}

	/** Reads what an item wants; throws when its parameters can't be used. */
	private async order(item: number): Promise<Order> {
		const form = formOf(this.context, item, {
			find: async (resource, url) => await findByUrl(this.api(item), this.service.table[resource], url),
			conceal: (text) => this.client.conceal(text),
		});
		const inputs = await readInputs(this.row, form);
		const { path, query, body } = inputs;
		const parts: Parts = { path, query, body, ...this.row.prepare?.(inputs, form.refuse) };
		const isEmptyUpdate =
			this.row.method === 'PUT' &&
			Object.keys(this.row.body).length > 0 &&
			Object.keys(parts.body).length === 0;
		if (isEmptyUpdate) {
			const message = `There is nothing to update [item ${item}]`;
			throw inputError(this.context.getNode(), message, 'Add at least one field', item);
		}
		return { item, form, inputs, parts };
	}

	private async results(order: Order): Promise<Result[]> {
		const results = await this.produced(order);
		const secrets = secretsIn(this.row.body, order.inputs.body);
		return results.map((result) => ({ ...result, json: this.cleaned(result.json, order.item, secrets) }));
	}

	/** Secrets never come out: neither those the user typed, nor those an answer brings unasked. */
	private cleaned(json: IDataObject, item: number, secrets: string[]): IDataObject {
		const masked = this.service.dialect.mask?.(json, this.options(item).includeSecrets) ?? json;
		return redactedDeep(masked, secrets);
	}

	private async checked(order: Order): Promise<Order> {
		const { inputs, parts } = order;
		return { ...order, parts: { ...parts, ...(await this.row.check?.(inputs, this.tools(order), parts)) } };
	}

	private async produced(unchecked: Order): Promise<Result[]> {
		const order = await this.checked(unchecked);
		const { item, form, inputs, parts } = order;
		const { row } = this;
		if (row.run) return await row.run(inputs, this.tools(order), parts);
		if (row.paging) return await this.listed(order);
		const instead = row.existing && (await ifExists(row.existing).read(form, 'ifExists'));
		if (row.existing && instead && instead !== 'create') {
			return [{ json: await this.ensured(row.existing, order, instead) }];
		}
		const answer = await this.client.send(requestOf(row, parts), item);
		return [{ json: this.present(answer, order) }];
	}

	private async listed(order: Order): Promise<Result[]> {
		const { item, form, parts } = order;
		const results: Result[] = [];
		for await (const page of readPages(this.api(item), this.row, parts, limitOf(form))) {
			if (page.notice) this.hints.add(page.notice);
			const records = this.wantsRaw(item)
				? [asObject(page.answer.json)]
				: page.records.map((record) => this.simplified(record, page.answer, order));
			results.push(...records.map((json) => ({ json })));
		}
		return results;
	}

	private async ensured(existing: Existing, order: Order, instead: 'fail' | 'return'): Promise<IDataObject> {
		const account = await this.client.identity(order.item);
		const records = this.existing.get(account) ?? new ExistingRecords(existing);
		this.existing.set(account, records);
		const { record, existed } = await records.ensure(order.parts.body, this.maker(order));
		if (existed && instead === 'fail') {
			throw inputError(
				this.context.getNode(),
				`${this.resource.name} ${String(record.id)} already exists ${existing.sameness} [item ${order.item}]`,
				'Nothing was created. Choose another If Exists to create another or to get the existing one',
				order.item,
			);
		}
		return existed ? { ...record, existed } : record;
	}

	private maker(order: Order): Maker {
		const { client, resource, row } = this;
		const { item, parts } = order;
		const api = this.api(item);
		const list = resource.operations[row.existing?.list ?? ''];
		if (!list) throw new Error(`${row.route} has no list to look in`);
		return {
			list: (query) => recordsOf(api, list, { query }),
			create: async () => {
				const attempt = await client.attempt(requestOf(row, parts), item);
				if ('answer' in attempt) return { record: this.present(attempt.answer, order) };
				if (attempt.refused) return { refused: attempt.error };
				throw attempt.error;
			},
		};
	}

	private api(item: number): ServiceApi {
		return new ServiceApi(
			this.client,
			{
				item,
				mention: ` [item ${item}]`,
				advice: 'Correct it and run again',
				hint: (message) => void this.hints.add(message),
			},
			this.memo,
		);
	}

	private tools(order: Order): Tools {
		const { item, form } = order;
		const own: Omit<Tools, keyof Api> = {
			send: async (request) => await this.client.send(request, item),
			results: (records, answer) =>
				(this.wantsRaw(item)
					? [asObject(answer.json ?? answer.text)]
					: records.map((record) => this.simplified(this.tidied(record), answer, order))
				).map((json) => ({ json })),
			limit: () => limitOf(form),
			file: async (bytes, fileName, mimeType) =>
				await this.context.helpers.prepareBinaryData(Buffer.from(bytes), fileName, mimeType),
			upload: async (property) => {
				const { fileName } = this.context.helpers.assertBinaryData(item, property);
				const bytes = await this.context.helpers.getBinaryDataBuffer(item, property);
				return { bytes, fileName: fileName ?? property };
			},
			option: (name) => this.options(item)[name],
		};
		return Object.assign(this.api(item), own);
	}

	/** The pieces of work of a row that joins items. */
	private async batched(batch: Batch, items: number[]): Promise<Unit[]> {
		const failed: Unit[] = [];
		const orders: Order[] = [];
		for (const item of items) {
			const outcome = await this.caught(item, async () => {
				orders.push(await this.checked(await this.order(item)));
				return [];
			});
			if (outcome.length > 0) failed.push(async () => [[item, outcome]]);
		}
		const { row, client } = this;
		const batches = new Batches(batch, {
			identity: async (item) => await client.identity(item),
			send: async (parts, item) => {
				const attempt = await client.attempt(requestOf(row, parts), item);
				return 'answer' in attempt ? attempt.answer : attempt.error;
			},
			shape: (record, answer, order) => this.simplified(this.tidied(record), answer, order),
			clean: (json, item) => this.cleaned(json, item, []),
			raw: (answers, item) =>
				this.wantsRaw(item)
					? answers.map((answer) =>
							'json' in answer ? { json: this.cleaned(asObject(answer.json), item, []) } : answer,
						)
					: undefined,
			failure: (message, description, item) =>
				apiError(client.node, { message, description, itemIndex: item }),
		});
		const units = await batches.units(orders, toInteger(this.options(0).batchSize));
		return [...failed, ...units];
	}

	private wantsRaw(item: number): boolean {
		return toBoolean(this.options(item).rawAnswer) ?? false;
	}

	/** The record of an answer; what was written is told together with the ids it was written to. */
	private present(answer: Answer, order: Order): IDataObject {
		if (this.wantsRaw(order.item)) return asObject(answer.json ?? answer.text);
		const picked = this.row.output.pick(answer, order.parts.path);
		if (isRecord(picked)) return this.simplified(this.tidied(picked), answer, order);
		const { path } = requestOf(this.row, order.parts);
		throw apiError(this.context.getNode(), {
			...unexpectedAnswer(this.service.dialect.service, path, looksLike(answer)),
			itemIndex: order.item,
		});
	}

	private tidied(record: Record<string, unknown>): IDataObject {
		return this.row.output.kind.tidy(record) as IDataObject;
	}

	private simplified(record: IDataObject, answer: Answer, { form, inputs }: Order): IDataObject {
		const { simple } = this.row.output;
		if (!simple || toBoolean(form.get('simplify')) === false) return record;
		return simple.of(record, answer, inputs.form);
	}
}

/** How many records an item wants; throws unless that is a number above 0, or all. */
function limitOf(form: Form): number {
	if (toBoolean(form.get('returnAll'))) return Infinity;
	const limit = toInteger(form.get('limit'));
	if (limit !== undefined && limit > 0) return limit;
	throw form.refuse('Limit', `"${String(form.get('limit'))}" is not a whole number above 0`);
}

const asObject = (json: unknown): IDataObject =>
	isRecord(json) ? (json as IDataObject) : ({ data: json } as IDataObject);

const secretsIn = (fields: Fields, values: Record<string, unknown>): string[] =>
	Object.entries(fields).flatMap(([name, field]) =>
		field.secret && values[name] ? [String(values[name])] : [],
	);
