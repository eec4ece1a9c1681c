import type { IBinaryData, NodeApiError } from 'n8n-workflow';
import type { ApiResponse, ItemApi, ListRow, Result } from '../api-types';
import { refusal } from '../errors/messages';
import { ServiceApi, type Caller } from '../transport/api';
import { Presenter, type Presented } from './presenter';
import type { Run } from './run';

/** What the code of a row can ask for: the service, the presentation of its responses, settings and files. */
export class ItemServiceApi extends ServiceApi implements ItemApi {
	readonly presenter: Presenter;

	constructor(
		private readonly run: Run,
		caller: Caller,
		presented: Presented,
	) {
		super(run.client, caller, run.memo);
		this.presenter = new Presenter(this, presented);
	}

	get row(): ListRow {
		return this.presenter.listRow;
	}

	get isRaw(): boolean {
		return this.presenter.settings.isRaw;
	}

	limit(): number {
		return this.presenter.settings.limit;
	}

	refusal(words: string, about: string): NodeApiError {
		const { service } = this.run;
		const advice = `This is about ${about}.`;
		return this.errorOf(refusal(service.name, this.row, { words, advice, class: 'refused' }));
	}

	async record(response: ApiResponse): Promise<Result> {
		return await this.presenter.record(response);
	}

	async results(records: Array<Record<string, unknown>>, response: ApiResponse): Promise<Result[]> {
		return await this.presenter.results(records, response);
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
