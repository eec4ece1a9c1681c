/** The reader’s nodes with one account of a host, for the checks that follow what an account shows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { CredentialRecord, Engine, NodeJson } from '../engine/index.ts';
import { CommandError } from '../scripts/command.ts';
import { reasonOf } from './outcome.ts';

/** One account of a host. */
export interface Account {
	engine: Engine;
	baseUrl: string;
	username: string;
	password: string;
}

const NEXT_TRY_MS = 10_000;
const PACKAGE = 'n8n-nodes-newslink';

/** Runs operations and lists, and polls triggers. */
export class ReaderAccount {
	readonly #engine: Engine;
	readonly #id: string;
	readonly #triggers = new Map<string, { name: string; staticData?: IDataObject }>();
	static #starts = 0;

	constructor({ engine, baseUrl, username, password }: Account) {
		this.#engine = engine;
		this.#id = baseUrl;
		const data = { sessionToken: '', baseUrl, username, password, allowedHttpRequestDomains: 'all' };
		engine.credentials.set(this.#id, { type: 'newsReaderSessionApi', data } as CredentialRecord);
	}

	#node(type: string, parameters: object): NodeJson {
		return {
			name: 'Node',
			type: `${PACKAGE}.${type}`,
			parameters: { authentication: 'session', ...parameters },
			credentials: { newsReaderSessionApi: { id: this.#id, name: this.#id } },
		};
	}

	/** The records of an operation such as `feed.add`, and its hints. @throws CommandError if it fails */
	async runWithHints(
		name: string,
		parameters: object = {},
	): Promise<{ records: IDataObject[]; hints: string[] }> {
		const [resource, operation] = name.split('.');
		const node = this.#node('newsReader', { resource, operation, ...parameters });
		const result = await this.#engine.run({ workflow: { nodes: [node], connections: {} } });
		const { error } = result;
		if (error)
			throw new CommandError(
				`${reasonOf({ message: error.message, description: error.description ?? '' })}.`,
			);
		return { records: result.json('Node'), hints: result.hints('Node').map(({ message }) => message) };
	}

	async run(name: string, parameters: object = {}): Promise<IDataObject[]> {
		return (await this.runWithHints(name, parameters)).records;
	}

	/** Reads with each operation and each parameters only once. */
	readingOnce(): Pick<ReaderAccount, 'run' | 'list' | 'poll'> {
		const known = new Map<string, Promise<IDataObject[]>>();
		const run: ReaderAccount['run'] = async (name, parameters = {}) => {
			const key = JSON.stringify([name, parameters]);
			const reading = known.get(key) ?? this.run(name, parameters);
			known.set(key, reading);
			return await reading;
		};
		return {
			run,
			list: async (resource) => await this.list(resource),
			poll: async (...args) => await this.poll(...args),
		};
	}

	/** The entries of a list in the editor. */
	async list(resource: string): Promise<Array<{ name: string; value: unknown }>> {
		const node = this.#node('newsReader', {});
		return await withinLimit(async () => (await this.#engine.listSearch({ node, method: resource })).results);
	}

	/** The items of a poll. `name` identifies the trigger; `isFirst` starts it anew: then what exists counts as known. */
	async poll(name: string, parameters: object, isFirst: boolean): Promise<IDataObject[]> {
		// The process remembers the states of a node by its name: a trigger that starts anew is another node.
		if (isFirst) this.#triggers.set(name, { name: `Node ${(ReaderAccount.#starts += 1)}` });
		const trigger = this.#triggers.get(name)!;
		const node = this.#node('newsReaderTrigger', { storyContent: 'none', ...parameters });
		const request = { node: { ...node, name: trigger.name }, staticData: trigger.staticData };
		const { items, staticData } = await withinLimit(async () => await this.#engine.poll(request));
		trigger.staticData = staticData;
		return (items ?? []).map(({ json }) => json);
	}
}

/** Tries again while the rate limit is used up: polls and lists don’t wait for it, n8n polls again. */
async function withinLimit<Result>(ask: () => Promise<Result>): Promise<Result> {
	try {
		return await ask();
	} catch (error) {
		if (!(error as Error).message.includes('rate limit')) throw error;
		await sleep(NEXT_TRY_MS);
		return await withinLimit(ask);
	}
}
