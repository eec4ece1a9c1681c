import type { Api, RequestParts, Result } from '../api-types';
import { failureOf } from '../errors/errors';
import type { Existing } from '../table/listing';
import type { Inputs, Operation } from '../table/operation';
import { fillMissing } from '../table/record';
import { isList } from '../table/settings';
import { ServiceApi, type Caller } from '../transport/api';
import { asListed } from '../transport/find';
import { readPages } from '../transport/lists';
import { isDotSegment } from '../transport/request';
import { hasControlCharacter, quoted } from '../values';
import { createOnce } from './existing';
import { ItemServiceApi } from './item-api';
import { readInput, type ItemInput } from './item-input';
import type { Run } from './run';
import type { Outcome } from './stages';
import { writeRefusal } from './tool';

/** The request of one item, with its checked parameters. */
export class ItemRequest {
	private constructor(
		readonly run: Run,
		readonly item: number,
		private readonly input: ItemInput,
		readonly parts: RequestParts,
		readonly api: ItemServiceApi,
	) {}

	/** Reads and checks the parameters of an item. `onPossibleWrite` is called when the service may have carried out a write. */
	static async prepare(run: Run, item: number, onPossibleWrite: () => void): Promise<ItemRequest> {
		const { resource, row, service } = run;
		const caller: Caller = {
			item,
			action: row.action,
			advice: 'Correct it and run again',
			hint: (message) => void run.hints.add(message),
			onPossibleWrite,
			...(run.refusesWrites && { writeRefusal: writeRefusal(resource, row) }),
		};
		// The item's own Api presents responses: it needs what this one reads.
		const reading = new ServiceApi(run.client, caller, run.memo);
		const input = await readInput(run, item, reading);
		const parts = await partsOf(row, input.fields, reading);
		const api = new ItemServiceApi(run, caller, { row, service, input, parts });
		return new ItemRequest(run, item, input, parts, api);
	}

	async send(): Promise<Outcome> {
		const { client, row, listInputs } = this.run;
		const results = await this.results();
		const listInput = isList(row) ? JSON.stringify([await this.api.account(), this.input]) : undefined;
		if (listInput) listInputs.set(listInput, (listInputs.get(listInput) ?? 0) + 1);
		return this.api.presenter.finished(
			results.map((result) => (result instanceof Error ? failureOf(client.node, result, this.item) : result)),
		);
	}

	private async results(): Promise<Array<Result | Error>> {
		const { api, input, parts } = this;
		const { row, looksForExisting } = this.run;
		if (row.run) return await row.run(input.fields, api, parts);
		if (row.paging) return await this.readList();
		const results =
			row.existing && looksForExisting
				? [await this.createUnlessExists(row.existing)]
				: await this.requestOnce();
		const { attach } = row;
		if (!attach) return results;
		return await Promise.all(results.map(async (result) => await attach(input.fields, result, api)));
	}

	/** Sends the single request. With Whole Record, the written record is as the service lists it. */
	private async requestOnce(): Promise<Result[]> {
		const { api, input, parts } = this;
		const { resource, row } = this.run;
		const response = await api.ask(row, parts);
		if (row.present) return await row.present(input.fields, response, api);
		const result = await api.record(response);
		if (!input.settings.wantsWhole) return [result];
		return [{ ...result, json: fillMissing(row.output.schema, await asListed(api, resource, result.json)) }];
	}

	private async readList(): Promise<Result[]> {
		const { api, parts } = this;
		const results: Result[] = [];
		for await (const { records, response } of readPages(api, api.row, parts, { limit: api.limit() })) {
			for (const result of await api.results(records, response)) results.push(result);
		}
		return results;
	}

	private async createUnlessExists(existing: Existing): Promise<Result> {
		const { api, input, parts } = this;
		const { ifExists, wantsWhole } = input.settings;
		const { resource, row } = this.run;
		const itemCount = this.run.context.getInputData().length;
		const { body, labels } = parts;
		const wanted = { resource, row, existing, ifExists, body, labels, wantsWhole, itemCount };
		const ensured = await createOnce(api, wanted, async () => {
			const response = await api.ask(row, parts);
			return { record: api.presenter.recordIn(api, response), response };
		});
		return api.presenter.ensured(ensured);
	}
}

/** The parts of a request, completed by `prepare`. Throws for an id that leads elsewhere, or if an update changes nothing. */
async function partsOf(row: Operation, fields: Inputs, api: Api): Promise<RequestParts> {
	const { path, query, body } = fields;
	for (const [name, value] of Object.entries(path)) {
		if (isDotSegment(value) || hasControlCharacter(value))
			throw api.parameterError(row.path[name]?.label ?? name, `${quoted(value)} is not an ID`);
	}
	const parts: RequestParts = { path, query, body, ...(await row.prepare?.(fields, api)) };
	const takesFields = row.method === 'PUT' && Object.keys(row.body).length > 0;
	if (takesFields && Object.keys(parts.body).length === 0) {
		throw api.inputError(
			'There is nothing to update',
			'Enter a value in at least one field; blank fields change nothing',
		);
	}
	return parts;
}
