import type { ApiResponse, FailureClass } from '../../nodes/runtime/api-types';
import type { INode } from 'n8n-workflow';
import { apiError } from '../../nodes/runtime/errors/errors';

/** A response with this JSON as its only content. */
export const responseWith = (json: unknown, status = 200): ApiResponse => ({
	host: 'service.example',
	status,
	headers: {},
	bytes: Buffer.alloc(0),
	text: '',
	json,
});

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
