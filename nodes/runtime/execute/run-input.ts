/** Reads the options that all items of a run share, and the parameters of each item. */
import { deepCopy, type IExecuteFunctions, type INode, type NodeParameterValueType } from 'n8n-workflow';
import { inputError } from '../errors/errors';
import { ParameterReader, readFields } from '../fields/field';
import { RUN_DEFAULTS, runSettings, type RunSettings } from '../table/settings';

/** The advice for a parameter with a wrong value. */
export const CORRECT_AND_RUN = 'Correct it and run again';

/** Reads a parameter of an item; null or undefined if it has none. */
export type ReadParameter = (parameter: string, itemIndex: number) => unknown;

/** The options of the whole run, read from the first item. */
export async function readSettings(
	context: IExecuteFunctions,
	parameter: ReadParameter,
): Promise<RunSettings> {
	const reader = new ParameterReader((name) => parameter(name, 0), {
		timezone: context.getTimezone(),
		parameterError: (label, reason, advice = CORRECT_AND_RUN) =>
			inputError(context.getNode(), `${label} ${reason}`, advice),
	});
	// Has only the options that are set.
	const set = await readFields(runSettings, reader, reader.collection('options', 'Options'));
	return { ...RUN_DEFAULTS, ...set } as RunSettings;
}

/**
 * Reads parameters for items. A parameter without an expression is the same for all items and is read once, because n8n
 * searches the description each time. n8n's own validation is skipped: the fields check all values.
 */
export function parametersOf(context: IExecuteFunctions, { parameters }: INode): ReadParameter {
	const sameForAll = new Map<string, NodeParameterValueType | object>();
	return (parameter, itemIndex) => {
		if (sameForAll.has(parameter)) return deepCopy(sameForAll.get(parameter));
		const value = context.getNodeParameter(parameter, itemIndex, null, { skipValidation: true });
		if (!hasExpression(parameters[parameter])) sameForAll.set(parameter, deepCopy(value));
		return value;
	};
}

/** Whether a parameter, or a text inside it, is an expression: n8n stores it with a leading equals sign. */
const hasExpression = (stored: unknown): boolean => JSON.stringify(stored ?? null).includes('"=');
