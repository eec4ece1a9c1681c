/** Runs one node of the package in a workflow on n8n's engine. Shared by the tests of both services. */
import type { IDataObject } from 'n8n-workflow';
import {
	chain,
	createEngine,
	type CredentialRecord,
	type Engine,
	type NodeJson,
	type RunResult,
} from '../../../engine/index.ts';
import { root } from './built';
import { after, items } from './workflow';

/** Starts n8n's engine with the built package. */
export const startEngine = (): Promise<Engine> => createEngine({ packageDirs: [root] });

export interface RunNode {
	onError?: NodeJson['onError'];
	signal?: AbortSignal;
	/** Added to the engine's store before the run; existing ones stay. */
	credentials?: Record<string, CredentialRecord>;
}

/** Runs Items → the node → After. The n-th input item also gets `key: "item n"`. */
export async function runBetween(
	engine: Engine,
	node: NodeJson,
	inputs: object[],
	{ onError, signal, credentials }: RunNode = {},
): Promise<RunResult> {
	return await engine.run({
		workflow: chain(items, { ...node, onError }, after),
		input: inputs.map((input, n) => ({ key: `item ${n}`, ...input }) as IDataObject),
		credentials,
		signal,
	});
}

/** The record that the node After returns if it is paired with the n-th input item. */
export const from = (record: object, n: number): object => ({ ...record, from: `item ${n}` });

/** The records that a node returned. @throws the error of the run */
export function recordsOf(result: RunResult, node: string): IDataObject[] {
	if (result.error) throw result.error;
	return result.json(node);
}

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
export const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });
