import type { ItemApi } from '../api-types';
import { refusal } from '../errors/messages';
import type { ItemInput } from '../table/settings';
import type { ServiceApi } from '../transport/api';
import { rawResult, type Presenter } from './presenter';
import type { Run } from './run';

/** The `Api` of one item. */
export type ItemService = ServiceApi & ItemApi;

/** What the code of a row can ask for: the service, the presentation of its responses, settings and files. */
export function itemApiOf(
	{ context, service }: Run,
	api: ServiceApi,
	{ settings }: ItemInput,
	presenter: Presenter,
): ItemService {
	const { item } = api;
	const { helpers } = context;
	return Object.assign(api, {
		row: presenter.listRow,
		isRaw: settings.isRaw,
		limit: () => settings.limit,
		refusal: (words, about) =>
			api.failed({
				...refusal(service.name, presenter.listRow, { words, advice: `This is about ${about}.` }),
				class: 'refused',
			}),
		record: presenter.record.bind(presenter),
		results: presenter.results.bind(presenter),
		rawResults: (response) => [rawResult(response)],
		file: async (bytes, fileName, mimeType) =>
			await helpers.prepareBinaryData(Buffer.from(bytes), fileName, mimeType),
		upload: async (property) => {
			const { fileName } = helpers.assertBinaryData(item, property);
			return { bytes: await helpers.getBinaryDataBuffer(item, property), fileName: fileName ?? property };
		},
	} satisfies Omit<ItemApi, keyof ServiceApi>);
}
