import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeApiError,
} from 'n8n-workflow';
import { Client, looksLike, unexpectedAnswer, type Answer, type Dialect } from './client';
import { ExistingRecords, type IfExists, type Maker } from './existing';
import { apiError, inputError, redactedDeep } from './failure';
import { isRecord, toBoolean, toInteger, type Fields, type Form } from './field';
import { formOf, readInputs } from './form';
import { finder } from './listing';
import { readPages, type ListRequest } from './paging';
import { requestOf } from './request';
import type { Operation, Parts, Resource, Table } from './row';

/** One service as a node: its table and its dialect. */
export interface Service {
	table: Table;
	dialect: Dialect;
}

type Failure = NodeApiError | NodeOperationError;
type Outcome = INodeExecutionData[] | Failure;

export const DEFAULT_CONCURRENCY = 3;
export const DEFAULT_MAX_WAIT_S = 600;

/**
 * Runs the chosen operation for every input item: some at a time, in the order of the items, each
 * output item paired with its input item. An item that fails stops the run, or with Continue on Fail
 * becomes an item that carries `error`.
 */
export async function execute(context: IExecuteFunctions, service: Service): Promise<INodeExecutionData[][]> {
	const run = new Run(context, service);
	const items = context.getInputData();
	const outcomes = new Array<Outcome | undefined>(items.length);
	let stopped = false;
	let next = 0;
	const worker = async (): Promise<void> => {
		while (!stopped && next < items.length) {
			const item = next++;
			const outcome = await run.perform(item);
			outcomes[item] = outcome;
			if (!Array.isArray(outcome) && !context.continueOnFail()) stopped = true;
		}
	};
	await Promise.all(Array.from({ length: run.concurrency }, worker));

	if (stopped) throw withProgress(outcomes);
	run.report();
	return [
		outcomes.flatMap((outcome, item) => (Array.isArray(outcome) ? outcome : [failedItem(outcome, item)])),
	];
}

/** The item that stands for a failed one; n8n's error output joins the input's data to it. */
const failedItem = (failure: Failure | undefined, item: number): INodeExecutionData => ({
	json: {
		error: failure?.message ?? 'Not run',
		...(failure?.description && { details: failure.description }),
	},
	pairedItem: { item },
});

/** The first failure, told which items were done all the same. */
function withProgress(outcomes: Array<Outcome | undefined>): Failure {
	const failure = outcomes.find((outcome) => outcome !== undefined && !Array.isArray(outcome)) as Failure;
	const done = outcomes.flatMap((outcome, item) => (Array.isArray(outcome) ? [item] : []));
	const progress =
		done.length === 0
			? 'No item was completed.'
			: `Completed before: ${done.length} of ${outcomes.length} items (${ranges(done)}).`;
	failure.description = [failure.description, outcomes.length > 1 && progress].filter(Boolean).join(' ');
	return failure;
}

/** `0-3, 5` for 0, 1, 2, 3, 5. */
function ranges(numbers: number[]): string {
	const spans: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = spans.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else spans.push([number, number]);
	}
	return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** One execution of a node: what its items share. */
class Run {
	readonly concurrency: number;
	private readonly client: Client;
	private readonly resource: Resource;
	private readonly row: Operation;
	private readonly existing: ExistingRecords | undefined;
	private readonly find: ReturnType<typeof finder>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly service: Service,
	) {
		const options = optionsOf(context, 0);
		this.concurrency = toInteger(options.concurrency) ?? DEFAULT_CONCURRENCY;
		const maxWaitS = toInteger(options.maximumWait) ?? DEFAULT_MAX_WAIT_S;
		this.client = new Client(context, service.dialect, { maxWaitMs: maxWaitS * 1000 });
		this.resource = this.chosen('resource', service.table);
		this.row = this.chosen('operation', this.resource.operations);
		this.existing = this.row.existing && new ExistingRecords(this.row.existing);
		this.find = finder(this.client, service);
	}

	/** What one item comes to. Never throws. */
	async perform(item: number): Promise<Outcome> {
		try {
			return await this.performed(item);
		} catch (error) {
			return error instanceof NodeOperationError || isApiError(error)
				? error
				: new NodeOperationError(this.context.getNode(), error as Error, { itemIndex: item });
		}
	}

	/** Tells the user of waits that made the run long. */
	report(): void {
		if (this.client.waited < 1000) return;
		this.context.addExecutionHints({
			message: `Waited ${Math.round(this.client.waited / 1000)} s in all for the rate limit of ${this.service.dialect.service}`,
			location: 'outputPane',
		});
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

	private async performed(item: number): Promise<INodeExecutionData[]> {
		const form = formOf(this.context, item, async (resource, url) => await this.find(resource, url, item));
		const inputs = await readInputs(this.row, form);
		const parts: Parts = {
			path: inputs.path,
			query: inputs.query,
			body: inputs.body,
			...this.row.prepare?.(inputs, form.refuse),
		};
		this.refuseEmptyUpdate(parts, item);
		const secrets = secretsIn(this.row.body, inputs.body);
		const results = await this.results(parts, item, form);
		return results.map((json) => ({ json: redactedDeep(json, secrets), pairedItem: { item } }));
	}

	private refuseEmptyUpdate(parts: Parts, item: number): void {
		const { row } = this;
		if (row.method !== 'PUT' || Object.keys(row.body).length === 0 || Object.keys(parts.body).length > 0)
			return;
		throw inputError(
			this.context.getNode(),
			`There is nothing to update [item ${item}]`,
			'Add at least one field',
			item,
		);
	}

	private async results(parts: Parts, item: number, form: Form): Promise<IDataObject[]> {
		const raw = toBoolean(optionsOf(this.context, item).rawAnswer) ?? false;
		if (this.row.paging) return await this.listed(parts, item, form, raw);
		const ifExists = form.get('ifExists') as IfExists | null;
		if (this.existing && ifExists && ifExists !== 'create') {
			return [await this.ensured(this.existing, parts, item, ifExists, raw)];
		}
		const answer = await this.client.send(requestOf(this.row, parts), item);
		return [this.present(answer, parts, item, raw)];
	}

	private async listed(parts: Parts, item: number, form: Form, raw: boolean): Promise<IDataObject[]> {
		const all = toBoolean(form.get('returnAll')) ?? false;
		const limit = toInteger(form.get('limit'));
		if (!all && (limit === undefined || limit < 1)) {
			throw form.refuse('Limit', `"${String(form.get('limit'))}" is not a whole number above 0`);
		}
		const results: IDataObject[] = [];
		for await (const page of readPages(this.listOf(this.row, parts, item), all ? undefined : limit)) {
			results.push(...(raw ? [asObject(page.answer.json)] : page.records));
		}
		return results;
	}

	private async ensured(
		existing: ExistingRecords,
		parts: Parts,
		item: number,
		ifExists: IfExists,
		raw: boolean,
	): Promise<IDataObject> {
		const { record, existed } = await existing.ensure(parts.body, this.maker(parts, item, raw));
		if (existed && ifExists === 'fail') {
			throw inputError(
				this.context.getNode(),
				`${this.resource.name} ${String(record.id)} already exists ${this.row.existing?.sameness} [item ${item}]`,
				'Nothing was created. Choose another If Exists to create another or to get the existing one',
				item,
			);
		}
		return existed ? { ...record, existed } : record;
	}

	private maker(parts: Parts, item: number, raw: boolean): Maker {
		const { resource, row } = this;
		const list = resource.operations[row.existing?.list ?? ''];
		if (!list) throw new Error(`${row.route} has no list to look in`);
		const { listOf } = this;
		return {
			list: async function* (query) {
				const everything = listOf(list, { path: {}, query, body: {} }, item);
				for await (const page of readPages(everything)) yield* page.records;
			},
			create: async () => {
				const attempt = await this.client.attempt(requestOf(row, parts), item);
				if ('answer' in attempt) return { record: this.present(attempt.answer, parts, item, raw) };
				if (attempt.refused) return { refused: attempt.error };
				throw attempt.error;
			},
		};
	}

	private readonly listOf = (row: Operation, parts: Parts, item: number): ListRequest => ({
		client: this.client,
		dialect: this.service.dialect,
		row,
		parts,
		item,
	});

	/** The record of an answer; what was written is told together with the ids it was written to. */
	private present(answer: Answer, parts: Parts, item: number, raw: boolean): IDataObject {
		if (raw) return asObject(answer.json);
		const { dialect } = this.service;
		const picked = isRecord(answer.json) ? this.row.output.pick(answer.json, parts.path) : undefined;
		if (!isRecord(picked)) {
			const what = looksLike(answer);
			throw apiError(this.context.getNode(), {
				...unexpectedAnswer(dialect, requestOf(this.row, parts).path, what),
				itemIndex: item,
			});
		}
		return this.row.output.kind.tidy(picked) as IDataObject;
	}
}

const optionsOf = (context: IExecuteFunctions, item: number): IDataObject =>
	context.getNodeParameter('options', item, {}) as IDataObject;

const isApiError = (error: unknown): error is NodeApiError =>
	error instanceof Error && error.name === 'NodeApiError';

const asObject = (json: unknown): IDataObject =>
	isRecord(json) ? (json as IDataObject) : ({ data: json } as IDataObject);

const secretsIn = (fields: Fields, values: Record<string, unknown>): string[] =>
	Object.entries(fields).flatMap(([name, field]) =>
		field.secret && values[name] ? [String(values[name])] : [],
	);
