import type { Api } from '../../runtime/api-types';
import { required, type Field, type FieldOptions } from '../../runtime/fields/field';
import { texts } from '../../runtime/fields/kinds';
import { locator, type LocatorOptions } from '../../runtime/fields/locator';
import { isBlank, isRecord, quoted, toInteger } from '../../runtime/values';
import { toFolderPath } from '../model/folders';

export const feedModes = {
	resource: 'feed',
	url: 'https://news.example.com/rss.xml',
	paramName: 'feedId',
};
export const feedId = required(
	locator<number>('Feed', { ...feedModes, description: 'The feed by its ID, or one of yours by address' }),
);

const folderLocator = (label: string, options: LocatorOptions<string> = {}): Field<string | undefined> =>
	locator<string>(label, {
		resource: 'folder',
		noun: 'Folder',
		id: toFolderPath,
		idName: 'Path',
		idExample: 'Tech / Deep',
		...options,
	});

/** An existing folder; the other pickers can be blank for the top level. */
export const folderPath = required(
	folderLocator('Folder', { paramName: 'folder', description: 'The folder, including its subfolders' }),
);
/** For calls in which a folder has only the feeds directly in it (read in the public code of 2026). */
export const folderAlone = required(
	folderLocator('Folder', { paramName: 'folder', description: 'The folder, without its subfolders' }),
);
export const scopeFolder = folderLocator('Scope Folder', {
	description:
		'The folder in which these likes and dislikes apply, without its subfolders, if Scope is A Folder',
});
/** A folder's path, or `/`, the top level, where blank means something else. */
const orTopLevel = (raw: unknown) => (String(raw).trim() === '/' ? '/' : toFolderPath(raw));
export const intoFolder = folderLocator('Folder', {
	alwaysShown: true,
	description: 'The target folder; leave blank for the top level',
});
const targetFolder = folderLocator('To Folder', {
	alwaysShown: true,
	id: orTopLevel,
	description: 'The target folder; leave blank in the list, or enter /, for the top level',
});
/** Blank means the top level only in the list: an empty expression must not move anything there. */
export const toFolder: typeof targetFolder = {
	...targetFolder,
	read: async (reader, name) => {
		const raw = reader.get(name);
		const { mode, value } = isRecord(raw) && 'value' in raw ? raw : { value: raw };
		if (mode !== 'list' && isBlank(value)) {
			const advice = 'For the top level, choose From List and leave it blank, or enter /';
			throw reader.parameterError(targetFolder.label, 'is empty', advice);
		}
		return await targetFolder.read(reader, name);
	},
};
export const parentFolder = folderLocator('Parent Folder', {
	alwaysShown: true,
	description: 'The folder to create the new one in; leave blank for the top level',
});
export const inFolder = folderLocator('In Folder', {
	alwaysShown: true,
	id: orTopLevel,
	description: 'The folder to take the feed from; leave blank if it is in only one; / is the top level',
});

/** In lower case: the service confirms others, but doesn't know them. */
export const toStoryHash = (written: string): string | undefined =>
	/^\s*(\d+:[\da-z]+)\s*$/i.exec(written)?.[1]?.toLowerCase();

export const feedOfHash = (story: string): number | undefined => toInteger(toStoryHash(story)?.split(':')[0]);

export const storyHashes = (options: FieldOptions = {}): Field<string[]> => {
	const list = texts('Story Hash', {
		paramName: 'storyHash',
		example: '42:a1b2c3',
		description: 'The hash of a story, from a list of stories; several as a list or separated by commas',
		...options,
	});
	return required({
		...list,
		read: async (reader, name) =>
			(await list.read(reader, name))?.map((written) => {
				const hash = toStoryHash(written);
				if (hash) return hash;
				const flaw = `${quoted(written)} is not a story hash`;
				throw reader.parameterError(list.label, flaw, 'A hash looks like 42:a1b2c3');
			}),
	});
};

const oneOrMore = storyHashes({ description: 'The hash of the story, from a list of stories' });

export const oneStoryHash: Field<string> = {
	...oneOrMore,
	read: async (reader, name) => {
		const [hash = '', ...others] = await oneOrMore.read(reader, name);
		if (others.length === 0) return hash;
		throw reader.parameterError(oneOrMore.label, 'names several stories', 'Use one item for each of them');
	},
};

const asWritten = (raw: unknown): string => String(raw).trim();

export const savedTag = locator<string>('Tag', {
	resource: 'savedStory',
	paramName: 'savedTag',
	description: 'One of your tags of saved stories; to list stories by tag, the account must be premium',
	id: asWritten,
	idName: 'Name',
	idExample: 'tools',
});

/** A user by id, or by the id of the user's share feed: `social:12`. */
const userLocator = (label: string, options: FieldOptions = {}): Field<number | undefined> =>
	locator(label, {
		resource: 'user',
		noun: 'User',
		idExample: '12',
		id: (raw) => toInteger(String(raw).replace(/^\s*social:/, '')),
		...options,
	});
export const anyUser = userLocator('User', {
	paramName: 'userId',
	description: 'The user; leave blank for yourself',
});
export const userId = required(
	userLocator('User', { paramName: 'userId', description: 'The user; the list includes you' }),
);
export const commentUserId = required(
	userLocator('Comment Author', { description: 'Who wrote the comment' }),
);
export const sourceUser = userLocator('Source User', {
	description: 'The user who shared the story first; ignored if you already share it',
});

/** A story by its hash, or by its own id, which is unique only within its feed. */
export const storyId = required(
	locator<string>('Story Hash', {
		id: (raw) => toStoryHash(String(raw)) ?? asWritten(raw),
		idName: 'Hash or ID',
		idExample: '42:a1b2c3',
		description: 'The story’s hash or ID, as returned in lists of stories',
	}),
);

/** The service requires it; a hash contains it. */
export const storyFeed = {
	...locator('Feed', {
		...feedModes,
		alwaysShown: true,
		description: 'Only needed with a story ID: a hash contains the feed',
	}),
	required: true,
};

export function feedOfStory(story: string, feed: number | undefined, api: Api): number {
	const ofHash = feedOfHash(story);
	if (feed !== undefined && ofHash !== undefined && feed !== ofHash) {
		const flaw = `is ${feed}, but the story ${story.trim()} is of feed ${ofHash}`;
		throw api.parameterError('Feed', flaw, 'Leave the feed blank: the hash contains it');
	}
	const id = ofHash ?? feed;
	if (id !== undefined) return id;
	throw api.parameterError('Feed', 'is empty', 'Choose the feed of the story, or enter the story’s hash');
}

export const replyLocator = (description: string): Field<string | undefined> =>
	locator<string>('Reply', {
		id: asWritten,
		idExample: '5f0c0ffee0123456789abcde',
		description,
	});

/** Also a share feed (`social:12`), a river or `starred`. */
export const feedKey = required(
	locator<number | string>('Feed', {
		...feedModes,
		description: 'The feed; or the share feed of a user you follow by ID, such as social:12',
		id: (raw) =>
			toInteger(String(raw).replace(/^\s*feed:/, '')) ??
			/^(?:(?:social|river|starred):.*|starred|read)$/.exec(String(raw).trim())?.[0],
	}),
);
