import { required } from '../../runtime/fields/field';
import { choice, fixedCollection, text } from '../../runtime/fields/kinds';
import { anInteger, aText, counts, listOf, make, record } from '../../runtime/table/record';
import { operation, resource, simplified } from '../../runtime/table/operation';
import { isRecord, toText } from '../../runtime/values';
import { feedKey } from '../fields/locators';
import { successWith } from '../outputs';

const kinds = { author: 'Author', feed: 'Feed', tag: 'Tag', title: 'Title' };
const opinions = {
	dislike: 'Dislike',
	like: 'Like',
	remove_dislike: 'Remove Dislike',
	remove_like: 'Remove Like',
};

/** Per kind, what is liked (1) or disliked (-1). */
const classifiers = record({ authors: counts, feeds: counts, tags: counts, titles: counts });

const simpleClassifier = record({ opinion: aText, kind: aText, value: aText });
const simpleClassifiers = record({ classifiers: listOf(simpleClassifier) });

export const classifier = resource(
	'Classifier',
	{ description: 'What you like and dislike of a feed: tags, authors, titles, or the feed itself' },
	{
		get: operation('GET /classifier/{id}', {
			name: 'Get',
			action: 'Get the classifiers of a feed',
			description: 'Get the tags, authors and titles of a feed that you like or dislike',
			path: { id: feedKey },
			output: {
				kind: classifiers,
				pick: ({ json }) => (isRecord(json) ? json.payload : undefined),
				simple: simplified(simpleClassifiers, (opinionsByKind) =>
					make(simpleClassifiers, {
						classifiers: Object.keys(kinds).flatMap((kind) =>
							Object.entries(opinionsByKind[`${kind}s`] ?? {}).map(([value, score]) =>
								make(simpleClassifier, {
									opinion: Number(toText(score)) < 0 ? 'dislike' : 'like',
									kind,
									value,
								}),
							),
						),
					}),
				),
			},
		}),
		save: operation('POST /classifier/save', {
			name: 'Save',
			action: 'Save classifiers of a feed',
			description: 'Like or dislike tags, authors, titles or the feed itself, or take that back',
			idempotent: true,
			body: { feed_id: feedKey },
			form: {
				classifiers: required(
					fixedCollection(
						'Classifiers',
						'Classifier',
						{
							kind: required(
								choice('Kind', kinds, { default: 'tag', description: 'What of a story you mean' }),
							),
							opinion: required(
								choice('Opinion', opinions, {
									default: 'like',
									description: 'What you like brings stories into focus, what you dislike hides them',
								}),
							),
							value: text('Value', {
								example: 'cli',
								description: 'The tag, the author, or words of the title; none for the feed itself',
							}),
						},
						{
							parameter: 'classifiers',
							description: 'What you like or dislike of the feed, or do no longer',
						},
					),
				),
			},
			prepare: ({ body, form }, refuse) => {
				const lists = new Map<string, unknown[]>();
				for (const { kind, opinion, value } of form.classifiers) {
					const meant = kind === 'feed' ? body.feed_id : value;
					if (meant === undefined) throw refuse('Classifiers', `a ${kind} to ${opinion} has no value`);
					const key = `${opinion}_${kind}`;
					lists.set(key, [...(lists.get(key) ?? []), meant]);
				}
				return { body: { ...body, ...Object.fromEntries(lists) } };
			},
			output: successWith({
				members: { feedId: anInteger, ...simpleClassifiers.members },
				of: ({ feed_id: feedId }, { classifiers: given }) => ({
					feedId,
					classifiers: (given as Array<Record<string, unknown>>).map(({ opinion, kind, value }) => ({
						opinion,
						kind,
						value: kind === 'feed' ? toText(feedId) : value,
					})),
				}),
			}),
		}),
	},
);
