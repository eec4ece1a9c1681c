import type { Result } from '../api-types';
import { failureOf } from '../errors/errors';
import type { Existing } from '../table/listing';
import { fillMissing } from '../table/record';
import { isList } from '../table/settings';
import { ServiceApi, type Caller } from '../transport/api';
import { asListed } from '../transport/find';
import { readPages } from '../transport/lists';
import { ensure } from './existing';
import { ItemServiceApi } from './item-api';
import { readInput, type ItemInput } from './item-input';
import type { Run } from './run';
import { CORRECT_AND_RUN } from './run-input';
import type { Outcome } from './item';

/** What one item asks the service for, and the Api to ask with. */
export class ItemTask {
	private constructor(
		readonly run: Run,
		readonly itemIndex: number,
		readonly input: ItemInput,
		readonly api: ItemServiceApi,
	) {}

	/** Reads and checks the parameters of an item. `onPossibleWrite` is called when the service may have carried out a write. */
	static async prepare(run: Run, itemIndex: number, onPossibleWrite: () => void): Promise<ItemTask> {
		const caller: Caller = {
			item: itemIndex,
			action: run.row.action,
			advice: CORRECT_AND_RUN,
			hint: (message) => void run.hints.add(message),
			onPossibleWrite,
			writeRefusal: run.writeRefusal,
		};
		// Parameters are read with an Api of their own: that of the item depends on them (`isRaw`).
		const input = await readInput(run, itemIndex, new ServiceApi(run.client, caller));
		return new ItemTask(run, itemIndex, input, new ItemServiceApi(run, caller, input));
	}

	/** Does what the item asks for, with one or several requests. */
	async perform(): Promise<Outcome> {
		const { run, itemIndex, input, api } = this;
		const results = await this.results();
		if (isList(run.row)) {
			const { account } = await api.owner();
			run.listInputs.push(JSON.stringify([account, input.settings, input.values]));
		}
		return api.presenter.withoutSecrets(
			results.map((result) => (result instanceof Error ? failureOf(run.node, result, itemIndex) : result)),
		);
	}

	private async results(): Promise<Array<Result | Error>> {
		const { api } = this;
		const { values, parts } = this.input;
		const { row } = this.run;
		if (row.run) return await row.run(values, api, parts);
		if (row.paging) return await this.readList();
		return row.existing ? [await this.ensureRecord(row.existing)] : await this.requestOnce();
	}

	/** Sends the single request. With Whole Record, the written record is as the service lists it. */
	private async requestOnce(): Promise<Result[]> {
		const { api } = this;
		const { settings, values, parts } = this.input;
		const { resource, row } = this.run;
		const response = await api.ask(row, parts);
		if (row.present) return await row.present(values, response, api);
		const result = await api.resultIn(response);
		if (!settings.wantsWhole) return [result];
		return [{ json: fillMissing(row.output.schema, await asListed(api, resource, result.json)) }];
	}

	private async readList(): Promise<Result[]> {
		const { api, input } = this;
		const results: Result[] = [];
		const limit = api.limit();
		const pages = readPages(api, api.row, input.parts, { limit });
		for await (const { records, response } of pages) {
			for (const result of await api.results(records, response)) results.push(result);
		}
		return results.slice(0, limit);
	}

	private async ensureRecord(existing: Existing): Promise<Result> {
		const { api, run } = this;
		const { settings, values, parts } = this.input;
		const ensured = await ensure(api, { existing, run, settings, parts }, async () => {
			const response = await api.ask(run.row, parts);
			return { record: api.presenter.recordIn(response), response };
		});
		return { ...api.presenter.ensured(ensured), ...(await run.row.attach?.(values, ensured.record, api)) };
	}
}
