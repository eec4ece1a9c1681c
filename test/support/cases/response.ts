import type { ApiResponse } from '../../../nodes/runtime/api-types';

/** A response with this JSON as its only content. */
export const responseWith = (json: unknown, status = 200): ApiResponse => ({
	host: 'service.example',
	status,
	headers: {},
	bytes: Buffer.alloc(0),
	text: '',
	json,
});
