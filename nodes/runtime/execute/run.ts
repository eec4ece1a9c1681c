import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { Api } from '../api-types';
import { chosenEntry, type Failure } from '../errors/errors';
import { isApiGet } from '../table/custom-request';
import type { Operation, Resource } from '../table/operation';
import type { RunSettings } from '../table/settings';
import type { Caller } from '../transport/api';
import { Client } from '../transport/client';
import { isSafe } from '../transport/request';
import type { Service } from '../transport/service';
import { inSequence } from '../values';
import { parametersOf, readSettings, type ReadParameter } from './run-input';
import { defaultsOf, isTool, withDefaults, writeRefusal } from './tool';

export interface Run {
	readonly client: Client;
	readonly node: INode;
	readonly resource: Resource;
	readonly row: Operation;
	readonly settings: RunSettings;
	readonly parameter: ReadParameter;
	/** Whether If Exists may look for records (an expression counts). Then items wait for each other. */
	readonly looksForExisting: boolean;
	/** What the error for a write says, if the node is a tool that is read only. */
	readonly writeRefusal?: Caller['writeRefusal'];
	readonly timezone: string;
	readonly itemCount: number;
	/** What n8n offers for files. */
	readonly helpers: IExecuteFunctions['helpers'];
	/** Messages to show to the user at the end of a run that was not stopped. */
	readonly hints: Set<string>;
	/** Of each item that read a list: its account, settings and values, as JSON. */
	readonly listInputs: string[];
	/** Whether the operation writes. API Request does, unless with GET. What only reads is never in doubt. */
	readonly writes: boolean;
	/** Whether the run goes on if an item fails. */
	readonly goesOnAfterFailure: boolean;
	/** A sentence for errors if n8n tries the node several times; otherwise blank. */
	readonly earlierTries: string;
	/** The failure after which no other item starts, if there was one. */
	stoppedBy?: Failure;
}

export async function runOf(context: IExecuteFunctions, service: Service): Promise<Run> {
	const node = context.getNode();
	const chosen = (parameter: string): unknown => context.getNodeParameter(parameter, 0, '');
	const resource = chosenEntry(node, 'resource', chosen('resource'), service.table);
	const row = chosenEntry(node, 'operation', chosen('operation'), resource.operations);
	const given = parametersOf(context, node);
	const parameter = isTool(node) ? withDefaults(given, defaultsOf(row)) : given;
	const settings = await readSettings(context, parameter);
	const writes = !isSafe(row) && !isApiGet(row, node);
	// As stored: a model can't turn it off, not even through an expression.
	const isReadOnlyTool = isTool(node) && (node.parameters.readOnly ?? false) !== false;
	return {
		client: new Client(context, service, {
			maxWaitMs: settings.maximumWait * 1000,
			advice: 'See Options → Maximum Wait (Seconds).',
		}),
		resource,
		row,
		settings,
		parameter,
		looksForExisting: row.existing !== undefined && (node.parameters.ifExists ?? 'create') !== 'create',
		...(isReadOnlyTool && { writeRefusal: writeRefusal(resource, row) }),
		timezone: context.getTimezone(),
		itemCount: context.getInputData().length,
		helpers: context.helpers,
		hints: new Set(),
		listInputs: [],
		node,
		writes,
		goesOnAfterFailure: context.continueOnFail(),
		// n8n shows only the error of the last try.
		earlierTries: node.retryOnFail && writes ? 'Earlier tries of Retry On Fail may have done more' : '',
	};
}

/**
 * Does the work of one or several items. If it writes and the service needs that, waits for the account's other writes, and
 * does nothing if the run was stopped meanwhile.
 */
export async function inTurn(run: Run, api: Pick<Api, 'owner'>, work: () => Promise<void>): Promise<void> {
	if (!run.writes || !run.client.service.writesOneAtATime) return await work();
	const { lastingAccount } = await api.owner();
	const unlessStopped = async (): Promise<void> => (run.stoppedBy ? undefined : await work());
	await inSequence(lastingAccount, unlessStopped, run.client.waiting.signal);
}
