/** Every write of both nodes, with three items that the sandbox accepts, or one item of three entries. */
import type { Table } from '../../../nodes/runtime/table/operation.ts';
import type { CredentialRecord, Engine, NodeJson, RunResult, WorkflowJson } from '../../../engine/index.ts';
import { isOnNewerServers } from '../../support/cases/declared';
import { linkTable, readerTable } from '../../../nodes/tables';
import type { Fixtures, Values } from '../../../cases/fixture.ts';
import { credentialsFor } from '../../support/nodes/link-node';
import { oAuth2Credential, sessionCredential, type Tokens } from '../../support/nodes/reader-node';
import { workflowFor, type Case } from '../../support/nodes/workflow.ts';
import type { ServiceName } from './faults';
import type { EntryFields, Ledger } from './ledger';

export interface Write extends Case {
	name: string;
	service: ServiceName;
	batchField: string | undefined;
	/** The number of entries of an item whose stages are compared one by one. */
	entries: number;
	/** The form fields that list entries. */
	entryFields: EntryFields;
	/** Whether all items create the same record with If Exists: Return. */
	returnExisting: boolean;
	/** Whether only the newest variant of the sandbox supports the write. */
	isNewer: boolean;
}

/** Operations that end or start sessions; session.test.ts tests them. */
const sessionOperations = ['account.logOut', 'account.signUp'];

/** Writes that are not batches, but send several requests for the entries of an item; with the fields of an entry. */
const sequentialEntries: Record<string, EntryFields> = {
	'feed.addMany': ['feed_ids', 'url'],
	'savedStory.save': ['story_hash'],
};
const ENTRIES = 3;

const writesOf = (node: string, service: ServiceName, table: Table): Write[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, row]) => {
			const name = `${resource}.${operation}`;
			if (row.method === 'GET' || sessionOperations.includes(name)) return [];
			const isNewer = isOnNewerServers(row);
			const batchField = row.batch?.field;
			const entryFields = batchField ? [batchField] : undefined;
			const common = {
				node,
				service,
				resource,
				operation,
				row,
				isNewer,
				batchField,
				entryFields,
				entries: 1,
			};
			const write: Write = { ...common, name, returnExisting: false };
			const existing = { ...write, name: `${name}, existing returned`, returnExisting: true };
			const fields = entryFields ?? sequentialEntries[name];
			const list = { ...write, name: `${name}, one item`, entries: ENTRIES, entryFields: fields };
			return [write, ...(row.existing ? [existing] : []), ...(fields ? [list] : [])];
		}),
	);

export const writes: Write[] = [
	...writesOf('linkManager', 'links', linkTable),
	...writesOf('newsReader', 'reader', readerTable),
];

export interface RunSettings {
	onError: NodeJson['onError'];
	batchSize: number;
	/** The number of input items, at most three. */
	items: number;
}

/** The authentication of the reader: a session's cookie, or tokens. */
export type Access = { cookie: string } | { tokens: Tokens };

/** A write that can be run: the sandbox contains the records that it changes. */
export class Prepared {
	private constructor(
		private readonly engine: Engine,
		readonly write: Write,
		private readonly workflow: WorkflowJson,
		private readonly access: Access,
	) {}

	static async of(
		write: Write,
		engine: Engine,
		fixtures: Record<string, Fixtures>,
		access: Access,
	): Promise<Prepared> {
		const { description } = engine.nodeType(`n8n-nodes-newslink.${write.node}`);
		const workflow = await workflowFor(
			write,
			description,
			await extendFixtures(write, fixtures[write.node]!),
			undefined,
		);
		return new Prepared(engine, write, complete(workflow, write, access), access);
	}

	/** The same write with another session or other tokens. */
	with(access: Access): Prepared {
		return new Prepared(this.engine, this.write, this.workflow, access);
	}

	/** Runs the write against the host of a ledger. */
	async run(ledger: Ledger, { onError, batchSize, items }: RunSettings): Promise<RunResult> {
		const [first, node, last] = structuredClone(this.workflow.nodes);
		Object.assign(node!, { onError });
		const options = { maximumWait: 60, ...(this.write.batchField && { batchSize }) };
		Object.assign(node!.parameters!, { options });
		const count = this.write.entries > 1 ? 1 : items;
		const pinData = { Items: this.workflow.pinData!.Items!.slice(0, count) };
		return await this.engine.run({
			workflow: { ...this.workflow, nodes: [first!, node!, last!], pinData },
			credentials: this.credentials(ledger.baseUrl),
		});
	}

	private credentials(origin: string): Record<string, CredentialRecord> {
		if (this.write.service === 'links') return credentialsFor({ baseUrl: `${origin}/links` });
		const baseUrl = `${origin}/reader-service`;
		return 'cookie' in this.access
			? sessionCredential(baseUrl, { sessionToken: this.access.cookie })
			: oAuth2Credential(baseUrl, this.access.tokens);
	}
}

function complete(workflow: WorkflowJson, { service, returnExisting }: Write, access: Access): WorkflowJson {
	const [first, node, last] = workflow.nodes;
	const readerCredentials: NodeJson['credentials'] =
		'cookie' in access
			? { newsReaderSessionApi: { id: 'session', name: 'session' } }
			: { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } };
	const credentials =
		service === 'links' ? { linkManagerApi: { id: 'key', name: 'key' } } : readerCredentials;
	const parameters = {
		...node!.parameters,
		...(service === 'reader' && 'tokens' in access && { authentication: 'oAuth2' }),
		...(returnExisting && { ifExists: 'return' }),
	};
	const items = workflow.pinData!.Items!;
	const sameItems = items.map(({ json }) => ({ json: { ...json, form: items[0]!.json.form } }));
	return {
		...workflow,
		nodes: [first!, { ...node!, credentials, parameters }, last!],
		pinData: { Items: returnExisting ? sameItems : items },
	};
}

/** Adds to the fixtures: a name that identifies a record, and several entries for each item of a batch. */
async function extendFixtures(
	{ resource, operation, batchField, returnExisting, entries }: Write,
	{ makers, values }: Fixtures,
): Promise<Fixtures> {
	const name = `${resource}.${operation}`;
	if (returnExisting && resource === 'campaign') {
		return { makers, values: { ...values, [name]: { name: 'Spring' } } };
	}
	if (returnExisting && resource === 'qrCode') {
		const named = { ...values[name], additionalFields: { name: 'Spring' } };
		return { makers, values: { ...values, [name]: named } };
	}
	const isList = entries > 1;
	if (isList && name === 'feed.addMany') {
		const { feedsToAdd } = await (values[name] as () => Promise<Values>)();
		return { makers, values: { ...values, [name]: { feedsToAdd: [(feedsToAdd as unknown[]).flat()] } } };
	}
	if (batchField === 'feed_id') {
		const feeds = (await makers.feedId!()) as number[];
		const pairs = [0, 1, 2].map((n) => [feeds[n], feeds[n]! + 3]);
		const feedIds = isList ? [feeds] : pairs;
		return { makers, values: { ...values, [name]: { whichFeeds: 'feeds', feedIds } } };
	}
	if (batchField === undefined && !isList) return { makers, values };
	const named = (await makers.storyHash!()) as string[];
	const hashes = isList ? [named] : named.map((hash) => [hash]);
	return { makers: { ...makers, storyHash: async () => await Promise.resolve(hashes) }, values };
}
