/** Every write of both nodes, with three items that the sandbox can carry out. */
import type { Table } from '../../../nodes/runtime/table/operation.ts';
import type { CredentialRecord, Engine, NodeJson, RunResult, WorkflowJson } from '../../../engine/index.ts';
import { isOnNewerServers, linkTable, readerTable } from '../../../nodes/tables';
import type { Fixtures } from '../../support/cases/fixtures.ts';
import { credentialsFor } from '../../support/nodes/link-node';
import { oAuth2Credential, sessionCredential, type Tokens } from '../../support/nodes/reader-node';
import { workflowFor, type Case } from '../../support/nodes/workflow.ts';
import type { Spoken } from './faults';
import type { Ledger } from './ledger';

export interface Write extends Case {
	name: string;
	spoken: Spoken;
	batchField: string | undefined;
	/** Every item wants the same record, once. */
	returnExisting: boolean;
	/** Only the newest variant of the sandbox offers it. */
	isNewer: boolean;
}

/** Ends or makes sessions, which is looked at in session.test.ts. */
const aboutSessions = ['account.logOut', 'account.signUp'];

const writesOf = (node: string, spoken: Spoken, table: Table): Write[] =>
	Object.entries(table).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, row]) => {
			const name = `${resource}.${operation}`;
			if (row.method === 'GET' || aboutSessions.includes(name)) return [];
			const isNewer = isOnNewerServers(row);
			const write = { name, node, spoken, resource, operation, row, isNewer, batchField: row.batch?.field };
			const again = { ...write, name: `${name}, existing returned`, returnExisting: true };
			return [{ ...write, returnExisting: false }, ...(row.existing ? [again] : [])];
		}),
	);

export const writes: Write[] = [
	...writesOf('linkManager', 'links', linkTable),
	...writesOf('newsReader', 'reader', readerTable),
];

export interface HowToRun {
	onError: NodeJson['onError'];
	concurrency: number;
	batchSize: number;
	/** How many of the three items. */
	items: number;
}

/** How the reader knows who asks: a session's cookie, or tokens. */
export type Access = { cookie: string } | { tokens: Tokens };

/** A write that is ready to be run against a sandbox that holds what it works on. */
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
			await forms(write, fixtures[write.node]!),
			undefined,
		);
		return new Prepared(engine, write, completed(workflow, write, access), access);
	}

	/** The same with another session, or other tokens. */
	with(access: Access): Prepared {
		return new Prepared(this.engine, this.write, this.workflow, access);
	}

	/** Runs it by way of a ledger's host. */
	async run(ledger: Ledger, { onError, concurrency, batchSize, items }: HowToRun): Promise<RunResult> {
		const [first, node, last] = structuredClone(this.workflow.nodes);
		Object.assign(node!, { onError });
		const options = { concurrency, maximumWait: 60, ...(this.write.batchField && { batchSize }) };
		Object.assign(node!.parameters!, { options });
		const pinData = { Items: this.workflow.pinData!.Items!.slice(0, items) };
		return await this.engine.run({
			workflow: { ...this.workflow, nodes: [first!, node!, last!], pinData },
			credentials: this.credentials(ledger.baseUrl),
		});
	}

	private credentials(origin: string): Record<string, CredentialRecord> {
		if (this.write.spoken === 'links') return credentialsFor({ baseUrl: `${origin}/links` });
		const baseUrl = `${origin}/reader-service`;
		return 'cookie' in this.access
			? sessionCredential(baseUrl, { sessionToken: this.access.cookie })
			: oAuth2Credential(baseUrl, this.access.tokens);
	}
}

function completed(workflow: WorkflowJson, { spoken, returnExisting }: Write, access: Access): WorkflowJson {
	const [first, node, last] = workflow.nodes;
	const ofReader: NodeJson['credentials'] =
		'cookie' in access
			? { newsReaderSessionApi: { id: 'session', name: 'session' } }
			: { newsReaderOAuth2Api: { id: 'oAuth2', name: 'oAuth2' } };
	const credentials = spoken === 'links' ? { linkManagerApi: { id: 'key', name: 'key' } } : ofReader;
	const parameters = {
		...node!.parameters,
		...(spoken === 'reader' && 'tokens' in access && { authentication: 'oAuth2' }),
		...(returnExisting && { ifExists: 'return' }),
	};
	const items = workflow.pinData!.Items!;
	const alike = items.map(({ json }) => ({ json: { ...json, form: items[0]!.json.form } }));
	return {
		...workflow,
		nodes: [first!, { ...node!, credentials, parameters }, last!],
		pinData: { Items: returnExisting ? alike : items },
	};
}

/** What the fixtures of all operations don't say: a name to know a record by, several entries for each item of a batch. */
async function forms(
	{ resource, operation, batchField, returnExisting }: Write,
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
	if (batchField === undefined) return { makers, values };
	if (batchField === 'feed_id') {
		const feeds = (await makers.feedId!()) as number[];
		const pairs = [0, 1, 2].map((n) => [feeds[n], feeds[n]! + 3]);
		return { makers, values: { ...values, [name]: { whichFeeds: 'feeds', feedIds: pairs } } };
	}
	const named = (await makers.storyHash!()) as string[];
	return {
		makers: { ...makers, storyHash: async () => await Promise.resolve(named.map((hash) => [hash])) },
		values,
	};
}
