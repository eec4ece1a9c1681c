import type { FastifyInstance } from 'fastify';
import type { BuiltinFeed, BuiltinFeedsOptions } from './types.ts';

export type * from './types.ts';

/**
 * Fastify plugin; register it without a prefix: `await app.register(builtinFeeds, { clock, store })`.
 * It answers under `/feeds/…` (documents, pages, images) and `/sandbox/feeds/…` (control calls).
 */
export declare function builtinFeeds(app: FastifyInstance, options: BuiltinFeedsOptions): Promise<void>;
/** The feeds the sandbox serves itself, in the order a new account should list them. */
export declare function builtinFeedList(origin: string): BuiltinFeed[];
