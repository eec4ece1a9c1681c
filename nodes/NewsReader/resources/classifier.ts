import type { IDataObject } from 'n8n-workflow';
import type { Api, ApiResponse } from '../../runtime/api-types';
import { required } from '../../runtime/fields/field';
import { choice, fixedCollection, text, requiredChoice } from '../../runtime/fields/kinds';
import { anIntegerOrText, aText, counts, listOf, exact, record } from '../../runtime/table/record';
import { operation, resource, simplified } from '../../runtime/table/operation';
import { asRecord, isRecord, quoted, toText } from '../../runtime/values';
import { feedKey, scopeFolder } from '../fields/locators';
import { singlePage } from '../lists';
import { recordsIn } from '../model/responses';
import { needsNewerServer, onNewerServers, flatFolderOf, subscriptionsOf } from '../model/subscriptions';
import { selected, selection, aFeedId } from '../model/records';
import { countSoon, leaveCounted } from '../model/unread-counts';
import { successWith } from '../outputs';

const kinds = { author: 'Author', feed: 'Feed', tag: 'Tag', title: 'Title' };
const PRO = 'With the Pro plan (newer servers)';
const newerKinds = {
	text: { name: 'Text', description: 'With the Archive plan (newer servers)' },
	text_regex: { name: 'Text (Regular Expression)', description: PRO },
	title_regex: { name: 'Title (Regular Expression)', description: PRO },
	url: { name: 'URL', description: 'A part of the address, with Premium (newer servers)' },
	url_regex: { name: 'URL (Regular Expression)', description: PRO },
};
const opinions = {
	dislike: 'Dislike',
	like: 'Like',
	remove_dislike: 'Remove Dislike',
	remove_like: 'Remove Like',
};
const newerOpinions = {
	super_dislike: {
		name: 'Super Dislike',
		description: 'Hides stories whatever else you like (newer servers)',
	},
	remove_super_dislike: 'Remove Super Dislike',
};
const allKinds = { ...kinds, ...newerKinds };
const allOpinions = { ...opinions, ...newerOpinions };

/** What JavaScript allows, but Python doesn't: some letters after a backslash, and ranges such as `[\w-.]`. */
const NOT_IN_PYTHON = /(?<!\\)(?:\\\\)*(?:\\[ceg-mopqyzCE-MO-RTVXY]|\[(?:\\.|[^[\\\]])*\\[dswDSW]-[^\]])/;
/** Whether Python accepts a regular expression: the service drops others, and reports success. Groups like `(?i)` pass. */
function isRegex(written: string): boolean {
	try {
		return written.includes('(?') || (!NOT_IN_PYTHON.test(written) && Boolean(new RegExp(written)));
	} catch {
		return false;
	}
}

/** The opinion that a score stands for: 1, -1 or -2. */
function opinionOf(score: unknown): string {
	const number = Number(toText(score));
	if (number > 0) return 'like';
	return number < -1 ? 'super_dislike' : 'dislike';
}

const classifierMembers = {
	opinion: [
		({ score }: Record<string, unknown>) => opinionOf(score),
		aText.described('like, dislike or super_dislike'),
	],
	kind: [
		'kind',
		aText.described('What is liked or disliked: a tag, an author, a title, a text, a URL, or the feed'),
	],
	value: ['value', aText.described('The tag, author, title, text or expression; of the feed itself, its ID')],
} as const;
const simpleClassifier = selection(classifierMembers);
const simpleClassifiers = record({ classifiers: listOf(simpleClassifier.schema).described('Your opinions') });

interface ClassifierChoices {
	classifiers: Array<{ kind: keyof typeof allKinds; opinion: keyof typeof allOpinions; value?: string }>;
	scope?: 'feed' | 'folder' | 'global';
	scopeFolder?: string;
}

/** Refuses what the host would silently ignore. */
async function scopeOf(
	{ classifiers: chosen, scope = 'feed', scopeFolder: folder = '' }: ClassifierChoices,
	api: Api,
): Promise<Record<string, unknown>> {
	const isNewer = chosen.some(({ kind, opinion }) => kind in newerKinds || opinion in newerOpinions);
	if (isNewer || scope !== 'feed') await needsNewerServer(api, 'these classifiers');
	if (folder !== '' && scope !== 'folder')
		throw api.parameterError('Scope Folder', 'needs Scope → A Folder', 'Choose that, or leave it blank');
	if (scope === 'feed') return {};
	if (chosen.some(({ kind }) => kind === 'feed'))
		throw api.parameterError('Scope', 'does not apply to the kind Feed', 'Choose This Feed, or another kind');
	const { isArchive } = await subscriptionsOf(api);
	if (!isArchive) throw api.parameterError('Scope', 'needs an account with the Archive plan');
	const isFolder = scope === 'folder';
	if (isFolder && folder === '') throw api.parameterError('Scope Folder', 'is empty');
	const folder_name = isFolder ? (await flatFolderOf(folder, api, 'Scope Folder')).flatName : undefined;
	const { json } = await api.send({ method: 'GET', path: '/reader/all_classifiers' });
	const scoped = recordsIn(classifiersOf({ classifiers: asRecord(json).scoped_classifiers }));
	for (const { kind, value } of chosen) {
		// For one that it lacks, the service takes the only one with another scope or kind (read in its code).
		const [twin, ...others] = scoped.filter(
			(other) => other.value === value && kind.startsWith(toText(other.kind).replace('_regex', '')),
		);
		const isSame = twin?.scope === scope && (twin.folder_name || undefined) === folder_name;
		if (!twin || (isSame && twin.kind === kind) || others.length > 0) continue;
		const flaw = `contain ${quoted(value)}, which the service has with another scope or kind`;
		throw api.parameterError('Classifiers', flaw, 'Remove that one first: Get Many lists it');
	}
	return { scope, folder_name };
}

/** A list of values for each opinion and kind, such as `like_tag`. */
function classifierLists(
	classifiers: ClassifierChoices['classifiers'],
	feedId: number | string,
	api: Api,
): Record<string, unknown[]> {
	const lists: Record<string, unknown[]> = {};
	const opinions = new Map<string, string>();
	for (const { kind, opinion, value } of classifiers) {
		if (kind.endsWith('_regex') && value !== undefined && !isRegex(value)) {
			const flaw = `contain ${quoted(value)}, which is not a valid regular expression of Python`;
			throw api.parameterError('Classifiers', flaw);
		}
		const entry = kind === 'feed' ? feedId : value;
		if (entry === undefined) throw api.parameterError('Classifiers', 'contain one without a Value');
		// The service would cut it (seen in the wild).
		const longest = kind.startsWith('url') ? 2048 : 255;
		if ([...toText(entry)].length > longest) {
			const flaw = `contain ${quoted(entry)}, with more than ${longest} characters`;
			throw api.parameterError('Classifiers', flaw, 'Shorten it');
		}
		(lists[`${opinion}_${kind}`] ??= []).push(entry);
		const key = JSON.stringify([kind, entry]);
		if ((opinions.get(key) ?? opinion) !== opinion) {
			const flaw = `contain ${quoted(entry)} twice with different opinions`;
			throw api.parameterError('Classifiers', flaw, 'Use one of them, or one item for each');
		}
		opinions.set(key, opinion);
	}
	return lists;
}

const listedClassifier = selection({
	feedTitle: ['feed_title', aText.described('Title of the feed')],
	...classifierMembers,
	scope: ['scope', aText.described('Where the classifier applies: feed, folder or global')],
	folder: [
		({ folder_name: name }) => name || undefined,
		aText.described('Name of the folder after those of its parents, such as Tech - Deep'),
	],
	feedId: ['feed_id', aFeedId],
});

/** Those of folders and of all feeds have no feed. A feed in several folders is listed in each of them. */
function allClassifiers({ json }: ApiResponse): unknown[] | undefined {
	if (!isRecord(json) || !Array.isArray(json.folders)) return undefined;
	const listed = recordsIn(json.folders).flatMap((folder) => recordsIn(folder.feeds));
	const ofFeeds = new Map(listed.map((feed) => [toText(feed.feed_id ?? feed), feed]));
	return [...ofFeeds.values(), { classifiers: json.scoped_classifiers }].flatMap(classifiersOf);
}

/** The service has a list for each kind, such as `titles`. */
function classifiersOf({ feed_id, feed_title, classifiers: lists }: Record<string, unknown>): object[] {
	if (!isRecord(lists)) return [];
	return [...Object.keys(kinds), 'text', 'url'].flatMap((kind) =>
		recordsIn(lists[`${kind}s`]).map((entry) => ({
			feed_id,
			feed_title,
			kind: entry.is_regex === true ? `${kind}_regex` : kind,
			value: toText(entry[kind] ?? feed_id),
			score: entry.score,
			scope: entry.scope ?? 'feed',
			folder_name: entry.folder_name,
		})),
	);
}

export const classifier = resource(
	'Classifier',
	{ description: 'What you like and dislike in a feed: tags, authors, titles, or the feed itself' },
	{
		get: operation('GET /classifier/{id}', {
			action: 'Get the classifiers of a feed',
			description: 'Get the tags, authors and titles of a feed that you like or dislike',
			path: { id: feedKey },
			run: async ({ path }, api, parts) => {
				const user = /^social:(\d+)$/.exec(toText(path.id))?.[1];
				// Only the trainer of a share feed has its classifiers (seen in the wild).
				const response = user
					? await api.send({ method: 'GET', path: '/social/feed_trainer', query: { user_id: user } })
					: await api.ask(api.row, parts);
				return [await api.resultIn(response)];
			},
			output: {
				// By kind, the liked (1) and disliked (-1) values.
				schema: record({ authors: counts, feeds: counts, tags: counts, titles: counts }),
				select: ({ json }) =>
					asRecord(json).payload ?? recordsIn(asRecord(json).feeds ?? json)[0]?.classifiers,
				shape: simplified(simpleClassifiers, (opinionsByKind, response, params) =>
					exact(simpleClassifiers, {
						classifiers: Object.keys(kinds).flatMap((kind) =>
							Object.entries(opinionsByKind[`${kind}s`] ?? {}).map(([value, score]) =>
								simpleClassifier.map({ score, kind, value } as IDataObject, response, params),
							),
						),
					}),
				),
			},
		}),
		getAll: onNewerServers(
			operation('GET /reader/all_classifiers', {
				description: 'List what you like and dislike in all feeds (newer servers)',
				paging: singlePage(allClassifiers, 'classifiers'),
				output: selected(listedClassifier),
			}),
		),
		save: operation('POST /classifier/save', {
			action: 'Save classifiers of a feed',
			description: 'Like or dislike tags, authors, titles or the feed itself, or undo it',
			idempotent: true,
			body: { feed_id: feedKey },
			params: {
				classifiers: required(
					fixedCollection(
						'Classifiers',
						'Classifier',
						{
							kind: requiredChoice('Kind', allKinds, {
								default: 'tag',
								description: 'Which part of a story you like or dislike',
							}),
							opinion: requiredChoice('Opinion', allOpinions, {
								default: 'like',
								description:
									'What you like brings stories into focus, what you dislike hides them; Remove Like and Remove Dislike both remove either',
							}),
							value: text('Value', {
								example: 'cli',
								description: 'The exact tag (lower case) or author, or words of a title; blank for the feed',
							}),
						},
						{ description: 'What you like or dislike in the feed, or no longer do' },
					),
				),
				scope: choice(
					'Scope',
					{ feed: 'This Feed', folder: 'A Folder', global: 'All Feeds' },
					{
						paramName: 'classifierScope',
						default: 'feed',
						description: 'Where these likes and dislikes apply (Archive plan, newer servers)',
					},
				),
				scopeFolder,
			},
			prepare: async ({ body, params }, api) => {
				const lists = classifierLists(params.classifiers, body.feed_id, api);
				const labels = Object.fromEntries(Object.keys(lists).map((name) => [name, 'Classifiers']));
				return { body: { ...body, ...lists, ...(await scopeOf(params, api)) }, labels };
			},
			present: async ({ body: { feed_id: feed }, params }, response, api) => {
				const isOfFeed = (params.scope ?? 'feed') === 'feed' && /^(?:social:)?\d+$/.test(toText(feed));
				await (isOfFeed ? leaveCounted(api, [feed]) : countSoon(api));
				return [await api.resultIn(response)];
			},
			output: successWith({
				members: {
					feedId: anIntegerOrText.described('ID of the feed, or of a share feed such as social:12'),
					...simpleClassifiers.members,
				},
				from: ({ feed_id: feedId }, { classifiers: given }) => ({
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
