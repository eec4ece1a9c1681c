/** The steps of the check that write, in order. They use only records of the check, which are removed in reverse order. */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceName } from './operations.ts';

/** The records that the steps created: ids by parameter, and their names. */
export type Own = Record<string, unknown>;

export interface Step {
	operation: string;
	/** The parameters. The step is skipped if one of them is undefined. */
	values(own: Own): Record<string, unknown>;
	/** Stores the ids of the new record. */
	store?(record: IDataObject, own: Own): void;
	/** The operation that removes the record again. */
	undo?: Pick<Step, 'operation' | 'values'>;
}

/** The name of the check's records. */
export const nameOf = (startedAt: Date): string =>
	`n8n-nodes-newslink check ${startedAt.toISOString().replace(/\D/g, '').slice(0, 14)}`;

const step = (operation: string, values: Step['values'], more: Partial<Step> = {}): Step => ({
	operation,
	values,
	...more,
});

/** Creates a record of a link service; it is removed by its id. */
const create = (resource: string, parameter: string, values: Step['values']): Step =>
	step(`${resource}.create`, values, {
		store: ({ id }, own) => {
			own[parameter] = id;
		},
		undo: step(`${resource}.delete`, (own) => ({ [parameter]: own[parameter] })),
	});

const linkSteps: Step[] = [
	create('channel', 'channelId', ({ name }) => ({ name })),
	create('campaign', 'campaignId', ({ name }) => ({ name })),
	create('shortLink', 'linkId', ({ name }) => ({
		url: 'https://example.com/',
		additionalFields: { description: name },
	})),
	create('qrCode', 'qrCodeId', ({ name }) => ({ dataSource: 'fields', qrType: 'text', qrText: name })),
	create('pixel', 'pixelId', ({ name }) => ({ name, pixelType: 'gtmpixel', tag: 'GTM-CHECK' })),
	create('domain', 'domainId', ({ name }) => ({
		domain: `https://${String(name).replaceAll(' ', '-')}.example.com`,
	})),
	step('apiRequest.send', () => ({ apiPath: '/api/account' })),
	step('campaign.assignLink', ({ campaignId, linkId }) => ({ campaignId, linkId })),
	step('channel.assignItem', ({ channelId, linkId }) => ({ channelId, itemType: 'links', linkId })),
	step('campaign.update', ({ campaignId, name }) => ({ campaignId, name: `${String(name)} changed` })),
	step('channel.update', ({ channelId, name }) => ({ channelId, updateFields: { description: name } })),
	step('shortLink.update', ({ linkId }) => ({
		linkId,
		updateFields: { url: 'https://example.com/changed' },
	})),
	step('qrCode.update', ({ qrCodeId, name }) => ({
		qrCodeId,
		dataSource: 'fields',
		qrType: 'text',
		qrText: `${String(name)} changed`,
	})),
	step('pixel.update', ({ pixelId }) => ({ pixelId, tag: 'GTM-CHANGED' })),
	step('domain.update', ({ domainId }) => ({
		domainId,
		updateFields: { redirectroot: 'https://example.com/' },
	})),
];

const folder = (key: string, title: (own: Own) => string): Step =>
	step('folder.create', (own) => ({ folderName: title(own) }), {
		store: (_record, own) => {
			own[key] = title(own);
		},
		undo: step('folder.delete', (own) => ({ folder: own[key] })),
	});

const ofStory = ({ feedId, storyId }: Own) => ({ feedId, storyId });
const ofStoryHash = ({ storyHash }: Own) => ({ storyHash });
/** An opinion on a tag of the feed that no story has. */
const ofTag =
	(opinion: string): Step['values'] =>
	({ feedId, name }) => ({
		feedId,
		classifiers: { entry: [{ kind: 'tag', opinion, value: name }] },
	});
const ofComment = (own: Own) => ({ ...ofStory(own), commentUserId: own.isShared ? own.me : undefined });

const readerSteps: Step[] = [
	step('profile.get', () => ({}), {
		store: ({ id }, own) => {
			own.me = id;
		},
	}),
	step('apiRequest.send', () => ({ apiPath: '/social/load_user_profile' })),
	folder('otherFolder', ({ name }) => `${String(name)} 2`),
	folder('folder', ({ name }) => String(name)),
	step('feed.add', ({ feedUrl, folder: into }) => ({ feedUrl, folder: into }), {
		store: ({ id }, own) => {
			own.feedId = id;
			own.feedFolder = own.folder;
		},
		undo: step('feed.delete', ({ feedId, feedFolder }) => ({ feedId, inFolder: feedFolder })),
	}),
	step('story.getAll', ({ feedId }) => ({ feedId }), {
		store: ({ hash, id, permalink }, own) => {
			own.storyHash = hash;
			own.storyId = id;
			own.storyUrl = permalink;
		},
	}),
	step('story.findByAddress', ({ storyUrl }) => ({ storyUrl })),
	step('story.markUnreadByDays', ({ feedId }) => ({ unreadStoriesOf: 'feed', feedId, unreadDays: 1 })),
	step('feed.mute', ({ feedId }) => ({ feedId })),
	step('feed.unmute', ({ feedId }) => ({ feedId })),
	step('notification.set', ({ feedId }) => ({ feedId, notifyOf: 'unread' })),
	step('story.markRead', ofStoryHash),
	step('story.markUnread', ofStoryHash),
	step('story.markReadById', ({ feedId, storyId }) => ({ feedId, stories: storyId })),
	step('story.markFeedStoriesRead', ({ feedId, storyId }) => ({
		feedsStories: feedId === undefined ? undefined : { [String(feedId)]: [storyId] },
	})),
	step('feed.markRead', ({ feedId }) => ({
		whichFeeds: 'feeds',
		feedIds: feedId === undefined ? undefined : [feedId],
	})),
	step('classifier.save', ofTag('like'), { undo: step('classifier.save', ofTag('remove_like')) }),
	step('savedStory.save', (own) => ({ ...ofStoryHash(own), additionalFields: { userTags: [own.name] } }), {
		store: (_record, own) => {
			own.tag = own.name;
			own.renamedTag = `${String(own.name)} 1`;
		},
		undo: step('savedStory.unsave', ofStoryHash),
	}),
	step('savedStory.renameTag', ({ tag, renamedTag }) => ({ savedTag: tag, newTagName: renamedTag })),
	step('savedStory.deleteTag', ({ renamedTag }) => ({ savedTag: renamedTag })),
	step('savedSearch.create', ({ feedId, name }) => ({ feedId, savedQuery: name }), {
		undo: step('savedSearch.delete', ({ feedId, name }) => ({ feedId, savedQuery: name })),
	}),
	step('share.create', (own) => ({ ...ofStory(own), comment: own.name }), {
		store: (_record, own) => {
			own.isShared = true;
		},
		undo: step('share.delete', ofStory),
	}),
	step('comment.saveReply', (own) => ({ ...ofComment(own), replyText: own.name }), {
		store: ({ replyId }, own) => {
			own.replyId = replyId;
		},
		undo: step('comment.removeReply', (own) => ({ ...ofComment(own), replyId: own.replyId })),
	}),
	step('feed.rename', ({ feedId, name }) => ({ feedId, feedTitle: name })),
	step(
		'feed.move',
		({ feedId, folder: from, otherFolder }) => ({ feedId, inFolder: from, toFolder: otherFolder }),
		{
			store: (_record, own) => {
				own.feedFolder = own.otherFolder;
			},
		},
	),
	step('folder.rename', (own) => ({ folder: own.folder, newFolderName: `${String(own.name)} 1` }), {
		store: (_record, own) => {
			own.folder = `${String(own.name)} 1`;
		},
	}),
	step('folder.move', (own) => ({ folder: own.folder, toFolder: own.otherFolder }), {
		store: (_record, own) => {
			own.folder = `${String(own.otherFolder)}/${String(own.folder)}`;
		},
	}),
];

export const steps: Record<ServiceName, Step[]> = { linkManager: linkSteps, newsReader: readerSteps };
