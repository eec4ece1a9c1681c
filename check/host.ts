/** Detects which code a news reader server runs, by its features. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { NamedOperation, ServiceName } from './operations.ts';
import { operationParameters } from '../engine/form.ts';
import { chain, type CredentialRecord, type Engine } from '../engine/index.ts';

export const serverKinds = {
	newer: 'newer than NewsBlur’s code of July 2024: it accepts paths of folders',
	'2024': 'like NewsBlur’s code of July 2024: lists have no envelope, and it accepts no paths of folders',
	contract: 'like the interface document: lists have an envelope, and it accepts no paths of folders',
	unknown: 'unknown: the check read no feeds there, or its responses match no known kind',
} as const;

export type ServerKind = keyof typeof serverKinds;

/** Requests a news reader host's feeds and one list, whose format shows the kind of server. */
export async function serverKindOf(host: Host, apiRequest: NamedOperation): Promise<ServerKind> {
	const get = async (apiPath: string): Promise<IDataObject> => {
		const { records } = await host.run(apiRequest, { apiPath, apiMethod: 'GET' });
		return records[0] ?? {};
	};
	const { feeds, folder_paths_supported: acceptsPaths } = await get('/reader/feeds');
	if (acceptsPaths === true) return 'newer';
	// Without feeds, the list has no members that identify the server.
	if (feeds === undefined || Array.isArray(feeds)) return 'unknown';
	const response = await get('/rss_feeds/feed_autocomplete?term=news');
	// API Request puts a bare list into `data`.
	if (Array.isArray(response.data)) return '2024';
	return Array.isArray(response.feeds) ? 'contract' : 'unknown';
}

/** One account on one host, and the node that works with it. */

export interface Account {
	service: ServiceName;
	baseUrl: string;
	/** The API key, or the password. */
	secret: string;
	username?: string;
	/** The Scheme of a Link Manager credential. */
	scheme?: string;
}

/** The result of one run of an operation. */
export interface Run {
	records: IDataObject[];
	failure?: Failure;
}

export interface Failure {
	message: string;
	description: string;
	/** The status of the response, if there was one. */
	status?: string;
	/** Whether the node reports that the host does not offer the call. */
	isNotOffered: boolean;
	/** Whether the node reports that the host may have carried out the call. */
	isInDoubt: boolean;
}

/** The credential of an account. */
function credentialOf({
	service,
	baseUrl,
	secret,
	username = '',
	scheme = 'Bearer',
}: Account): CredentialRecord {
	const common = { baseUrl, allowedHttpRequestDomains: 'all' };
	return service === 'linkManager'
		? { type: 'linkManagerApi', data: { ...common, apiKey: secret, scheme } }
		: {
				type: 'newsReaderSessionApi',
				data: { ...common, username, password: secret },
			};
}

/** The maximum number of records that a list returns. */
const LIMIT = 5;

export class Host {
	readonly #engine: Engine;
	readonly #account: Account;
	readonly #credential: Record<string, { id: string; name: string }>;

	constructor(engine: Engine, account: Account) {
		this.#engine = engine;
		this.#account = account;
		const { service } = account;
		const credential = credentialOf(account);
		this.#credential = { [credential.type]: { id: service, name: service } };
		engine.credentials.set(service, credential);
	}

	get service(): ServiceName {
		return this.#account.service;
	}

	/** The parameters that n8n shows for an operation, also those that depend on another's value. */
	parametersOf(operation: NamedOperation): INodeProperties[] {
		return operationParameters(this.#engine.nodeType(this.#type).description, operation);
	}

	/** Runs an operation with values for some of its parameters. */
	async run(named: NamedOperation, values: Record<string, unknown>): Promise<Run> {
		const { resource, operation } = named;
		const shown = this.parametersOf(named);
		const limit = shown.some(({ name }) => name === 'limit') ? { limit: LIMIT } : {};
		const node = {
			name: 'Node',
			type: this.#type,
			parameters: { resource, operation, ...limit, ...toEditorFormat(shown, values) },
			credentials: this.#credential,
		};
		const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
		const result = await this.#engine.run({ workflow: chain(start, node) });
		if (!result.error) return { records: result.json('Node') };
		const { message, description: words } = result.error;
		const description = words ?? '';
		const status = 'httpCode' in result.error ? String(result.error.httpCode) : undefined;
		// A path without an ID exists, or the host does not offer it.
		const hasNoId = !named.route.includes('{');
		const isNotOffered = /does not (offer|know)/.test(message) || (status === '404' && hasNoId);
		const isInDoubt = /may have carried out/.test(description);
		return { records: [], failure: { message, description, status, isNotOffered, isInDoubt } };
	}

	get #type(): string {
		return `n8n-nodes-newslink.${this.#account.service}`;
	}

	/** Masks the account's secret in a text, unless it is so short that it may occur by chance. */
	mask(text: string): string {
		const { secret } = this.#account;
		return secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, '***');
	}
}

const MIN_SECRET_LENGTH = 6;

/** Converts values to the format of the editor. */
const toEditorFormat = (shown: INodeProperties[], values: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => {
			const isLocator = shown.some(
				(parameter) => parameter.name === name && parameter.type === 'resourceLocator',
			);
			return [name, isLocator ? { __rl: true, mode: 'id', value } : value];
		}),
	);
