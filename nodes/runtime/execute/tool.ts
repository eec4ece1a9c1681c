import type { INode } from 'n8n-workflow';
import type { Form } from '../fields/field';
import { isBlank } from '../values';

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
