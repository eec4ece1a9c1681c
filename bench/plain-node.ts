import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

/**
 * A minimal node: sends n8n's authenticated request for each item, some concurrently, and returns the unchanged response.
 * The difference from the Link Manager is the cost of its checks, rate limit and record shaping.
 */
export const plainNode = (concurrency: number): INodeType => ({
	description: {
		displayName: 'Plain',
		name: 'plain',
		group: ['input'],
		version: 1,
		description: 'Gets the account for each item',
		defaults: { name: 'Plain' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'linkManagerApi', required: true }],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const count = this.getInputData().length;
		const output = new Array<{ json: IDataObject; pairedItem: { item: number } }>(count);
		let next = 0;
		const work = async (): Promise<void> => {
			for (let item = next++; item < count; item = next++) {
				const { baseUrl } = await this.getCredentials('linkManagerApi', item);
				const url = `${String(baseUrl)}/api/account`;
				const json = (await this.helpers.httpRequestWithAuthentication.call(this, 'linkManagerApi', {
					url,
					json: true,
				})) as IDataObject;
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, work));
		return [output];
	},
});
