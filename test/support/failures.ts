import type { INode } from 'n8n-workflow';
import { apiError } from '../../nodes/runtime/errors/errors';
import type { FailureClass } from '../../nodes/runtime/api-types';

const node = {
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
} as unknown as INode;

/** The error of a request that failed in this way. */
export const failureOfClass = (failureClass: FailureClass, message: string = failureClass): Error =>
	apiError(node, { message, class: failureClass });
