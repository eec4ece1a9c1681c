import type { IBinaryData, NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ItemApi, Paging, Result } from '../api-types';
import { markInDoubt } from '../errors/errors';
import { refusal } from '../errors/messages';
import type { Operation } from '../table/operation';
import { ServiceApi, type Caller } from '../transport/api';
import { isRecord, omit } from '../values';
import type { ItemInput } from './item-input';
import { Presenter } from './presenter';
import type { Run } from './run';
import { isTool } from './tool';

/** What the code of a row can ask for: the service, the presentation of its responses, settings and files. */
export class ItemServiceApi extends ServiceApi implements ItemApi {
	readonly row: Operation;
	readonly isRaw: boolean;
	readonly presenter: Presenter;

	constructor(
		private readonly run: Run,
		caller: Caller,
		private readonly input: ItemInput,
	) {
		super(run.client, caller);
		const { row } = run;
		this.isRaw = input.settings.isRaw;
		this.row = this.isRaw && row.paging ? { ...row, paging: acceptingAll(row.paging) } : row;
		this.presenter = new Presenter(this, row, run.client.service, input);
	}

	limit(): number {
		return this.input.settings.limit;
	}

	/** Its class is 'undone': the request for all entries succeeded. */
	refusal(words: string, about: string): NodeApiError {
		const { service } = this.run.client;
		const advice = `This is about ${about}.`;
		return this.errorOf(refusal(service.name, this.row, { words, advice, class: 'undone' }));
	}

	unmentioned(entry: string): NodeApiError {
		const error = this.apiError(`The service’s response does not mention ${entry}`, '');
		return this.run.writes ? markInDoubt(error) : error;
	}

	async resultIn(response: ApiResponse): Promise<Result> {
		return await this.presenter.resultIn(response);
	}

	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		return await this.presenter.results(records, response);
	}

	async file(bytes: Uint8Array, fileName: string, mimeType: string): Promise<IBinaryData> {
		return await this.run.helpers.prepareBinaryData(Buffer.from(bytes), fileName, mimeType);
	}

	async upload(property: string): Promise<{ bytes: Buffer; fileName: string }> {
		const { helpers, node } = this.run;
		// n8n has no input items for a tool of its MCP Server Trigger.
		if (isTool(node)) throw this.inputError('A tool gets no files', 'Choose a source other than a file');
		const { fileName } = helpers.assertBinaryData(this.item, property);
		const bytes = await helpers.getBinaryDataBuffer(this.item, property);
		return { bytes, fileName: fileName ?? property };
	}
}

/** Reads a page without a list as an empty one. Hides `size`: raw pages that overlap would show entries twice. */
const acceptingAll = (paging: Paging): Paging => ({
	...paging,
	read: (...page) => {
		const listed = paging.read(...page);
		const records = listed?.records.filter(isRecord) ?? [];
		if (!listed || (records.length === 0 && listed.records.length > 0)) return { records: [], more: false };
		return { ...listed, records, counts: listed.counts && omit(listed.counts, 'size') };
	},
});
