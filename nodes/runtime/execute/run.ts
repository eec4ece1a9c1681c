import { deepCopy, type IExecuteFunctions, type INode, type NodeParameterValueType } from 'n8n-workflow';
import type { Form } from '../fields/field';
import type { Operation, Resource } from '../table/operation';
import type { Settings } from '../table/settings';
import type { Memo } from '../transport/api';
import type { Client } from '../transport/client';
import type { Service } from '../transport/service';
import { isBlank } from '../values';

/** What the items of one execution share. */
export interface Run {
	readonly context: IExecuteFunctions;
	/** What a parameter holds for an item; null where nothing does. */
	readonly given: (parameter: string, item: number) => unknown;
	readonly service: Service;
	readonly client: Client;
	readonly resource: Resource;
	readonly row: Operation;
	readonly settings: Settings;
	/** What the form holds at first, where a model fills it in. */
	readonly initial?: ReadonlyMap<string, unknown>;
	readonly memo: Memo;
	/** What the user is told once it is over. */
	readonly hints: Set<string>;
	/** An item failed, and no other is to be begun. */
	isStopped: boolean;
}

/**
 * Reads parameters for items. What holds no expression is alike for all of them and read once: n8n goes through its
 * description each time. None of ours leaves a check of its values to n8n.
 */
export function parametersOf(context: IExecuteFunctions, { parameters }: INode): Run['given'] {
	const alike = new Map<string, NodeParameterValueType | object>();
	return (parameter, item) => {
		if (alike.has(parameter)) return deepCopy(alike.get(parameter));
		const value = context.getNodeParameter(parameter, item, null, { skipValidation: true });
		if (!JSON.stringify(parameters[parameter] ?? null).includes('"=')) alike.set(parameter, value);
		return value;
	};
}

/** Whether a node is the tool of an agent: n8n ends the name of its type so, and tells `@tool` by that. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** Whether a model left a parameter out: blank, or by the word for it, which texts with an expression make of nothing. */
export const isLeftOut = (raw: unknown): boolean =>
	isBlank(raw) || (typeof raw === 'string' && ['undefined', 'null'].includes(raw.trim()));

/** The parameters as a model gives them: one that it leaves out is what the form holds at first. */
export const givenByModel =
	(given: Form['get'], initial: ReadonlyMap<string, unknown>): Form['get'] =>
	(parameter) => {
		const raw = given(parameter);
		return isLeftOut(raw) ? initial.get(parameter) : raw;
	};
