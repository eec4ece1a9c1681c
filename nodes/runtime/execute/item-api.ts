import type { IBinaryData, NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ItemApi, ListRow, Paging, Result } from '../api-types';
import { refusal } from '../errors/messages';
import { ServiceApi, type Caller } from '../transport/api';
import { isRecord, omit } from '../values';
import { Presenter, type Presented } from './presenter';
import type { Run } from './run';

/** What the code of a row can ask for: the service, the presentation of its responses, settings and files. */
export class ItemServiceApi extends ServiceApi implements ItemApi {
	readonly presenter: Presenter;

	constructor(
		private readonly run: Run,
		caller: Caller,
		private readonly presented: Presented,
	) {
		super(run.client, caller, run.memo);
		this.presenter = new Presenter(presented);
	}

	get row(): ListRow {
		const { row } = this.presented;
		return this.isRaw && row.paging ? { ...row, paging: acceptingAll(row.paging) } : row;
	}

	get isRaw(): boolean {
		return this.presented.input.settings.isRaw;
	}

	limit(): number {
		return this.presented.input.settings.limit;
	}

	refusal(words: string, about: string): NodeApiError {
		const { service } = this.run;
		const advice = `This is about ${about}.`;
		return this.errorOf(refusal(service.name, this.row, { words, advice, class: 'undone' }));
	}

	async record(response: ApiResponse): Promise<Result> {
		return await this.presenter.record(this, response);
	}

	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		return await this.presenter.results(this, records, response);
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
}

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
