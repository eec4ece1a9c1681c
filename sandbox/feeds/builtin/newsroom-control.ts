import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import type { Clock } from '../../shared/clock.ts';
import { publishedPath, type Newsroom, type PublishedStory } from './newsroom.ts';
import { publicationOf } from './publications/index.ts';

const storySchema = z.strictObject({
	title: z.string().default('Untitled'),
	content: z.string().default('<p>A story published by a control call.</p>'),
	tags: z.array(z.string()).default([]),
	author: z.string().default(''),
	/** Epoch ms. Default: now. */
	publishedAt: z.int().optional(),
	/** Default: a new guid. The guid of a published story replaces that story. */
	guid: z.string().min(1).optional(),
});

type SlugRoute = { Params: { slug: string }; Body: unknown };

/** Control endpoints of the built-in feeds, for tests and demonstrations. */
export function controlRoutes(app: FastifyInstance, newsroom: Newsroom, clock: Clock): void {
	const post = (action: string, handle: (slug: string, body: unknown) => object | Promise<object>) =>
		app.post<SlugRoute>(`/sandbox/feeds/:slug/${action}`, async (request, reply) => {
			const { slug } = request.params;
			if (!publicationOf(slug))
				return reply.code(404).send({ message: `There is no built-in feed "${slug}".` });
			try {
				return await handle(slug, request.body ?? {});
			} catch (error) {
				if (!(error instanceof z.ZodError)) throw error;
				return reply.code(400).send({ message: z.prettifyError(error) });
			}
		});

	post('publish', (feed, body) => {
		const {
			publishedAt = clock.now(),
			guid = `urn:uuid:${randomUUID()}`,
			...given
		} = storySchema.parse(body);
		const story: PublishedStory = { feed, guid, publishedAt, ...given };
		newsroom.publish(story);
		return { ...story, path: `/feeds/${feed}/${publishedPath(guid)}` };
	});
	post('break', (feed) => {
		newsroom.setBroken(feed, true);
		return { feed, broken: true };
	});
	post('repair', (feed) => {
		newsroom.setBroken(feed, false);
		return { feed, broken: false };
	});
}
