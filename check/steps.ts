/** The steps of the check with its own records, in order; they are removed in reverse order. */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceName } from './operations.ts';

/** The records that the steps created: ids by parameter, and their names. */
export type Own = Record<string, unknown>;

export interface Step {
	operation: string;
	/** The parameters. The step is left out if one of them is undefined. */
	values(own: Own): Record<string, unknown>;
	/** Records the ids of the new record. */
	keep?(record: IDataObject, own: Own): void;
	/** The operation that removes the record again. */
	undo?: Pick<Step, 'operation' | 'values'>;
}

/** The name of the check's records. */
export const nameOf = (startedAt: Date): string =>
	`n8n-nodes-newslink check ${startedAt.toISOString().replace(/\D/g, '').slice(0, 14)}`;

const use = (operation: string, values: Step['values'], more: Partial<Step> = {}): Step => ({
	operation,
	values,
	...more,
});

/** Makes a record of a link service, which is removed by its id. */
const make = (resource: string, parameter: string, values: Step['values']): Step =>
	use(`${resource}.create`, values, {
		keep: ({ id }, own) => {
			own[parameter] = id;
		},
		undo: use(`${resource}.delete`, (own) => ({ [parameter]: own[parameter] })),
	});

const linkSteps: Step[] = [
	make('channel', 'channelId', ({ name }) => ({ name })),
	make('campaign', 'campaignId', ({ name }) => ({ name })),
	make('shortLink', 'linkId', ({ name }) => ({
		url: 'https://example.com/',
		additionalFields: { description: name },
	})),
	make('qrCode', 'qrCodeId', ({ name }) => ({ dataSource: 'fields', qrType: 'text', qrText: name })),
	make('pixel', 'pixelId', ({ name }) => ({ name, pixelType: 'gtmpixel', tag: 'GTM-CHECK' })),
	make('domain', 'domainId', ({ name }) => ({
		domain: `https://${String(name).replaceAll(' ', '-')}.example.com`,
	})),
	use('apiRequest.send', () => ({ apiPath: '/api/account' })),
	use('campaign.assignLink', ({ campaignId, linkId }) => ({ campaignId, linkId })),
	use('channel.assignItem', ({ channelId, linkId }) => ({ channelId, itemType: 'links', linkId })),
	use('campaign.update', ({ campaignId, name }) => ({ campaignId, name: `${String(name)} changed` })),
	use('channel.update', ({ channelId, name }) => ({ channelId, updateFields: { description: name } })),
	use('shortLink.update', ({ linkId }) => ({ linkId, updateFields: { url: 'https://example.com/changed' } })),
	use('qrCode.update', ({ qrCodeId, name }) => ({
		qrCodeId,
		dataSource: 'fields',
		qrType: 'text',
		qrText: `${String(name)} changed`,
	})),
	use('pixel.update', ({ pixelId }) => ({ pixelId, tag: 'GTM-CHANGED' })),
	use('domain.update', ({ domainId }) => ({
		domainId,
		updateFields: { redirectroot: 'https://example.com/' },
	})),
];

const folder = (key: string, title: (own: Own) => string): Step =>
	use('folder.create', (own) => ({ folderName: title(own) }), {
		keep: (_record, own) => {
			own[key] = title(own);
		},
		undo: use('folder.delete', (own) => ({ folder: own[key] })),
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
	use('profile.get', () => ({}), {
		keep: ({ id }, own) => {
			own.me = id;
		},
	}),
	use('apiRequest.send', () => ({ apiPath: '/social/load_user_profile' })),
	folder('otherFolder', ({ name }) => `${String(name)} 2`),
	folder('folder', ({ name }) => String(name)),
	use('feed.add', ({ feedUrl, folder: into }) => ({ feedUrl, folder: into }), {
		keep: ({ id }, own) => {
			own.feedId = id;
			own.feedFolder = own.folder;
		},
		undo: use('feed.delete', ({ feedId, feedFolder }) => ({ feedId, inFolder: feedFolder })),
	}),
	use('story.getAll', ({ feedId }) => ({ feedId }), {
		keep: ({ hash, id, permalink }, own) => {
			own.storyHash = hash;
			own.storyId = id;
			own.storyUrl = permalink;
		},
	}),
	use('story.findByAddress', ({ storyUrl }) => ({ storyUrl })),
	use('story.markUnreadByDays', ({ feedId }) => ({ unreadStoriesOf: 'feed', feedId, unreadDays: 1 })),
	use('feed.mute', ({ feedId }) => ({ feedId })),
	use('feed.unmute', ({ feedId }) => ({ feedId })),
	use('notification.set', ({ feedId }) => ({ feedId, notifyOf: 'unread' })),
	use('story.markRead', ofStoryHash),
	use('story.markUnread', ofStoryHash),
	use('story.markReadById', ({ feedId, storyId }) => ({ feedId, stories: storyId })),
	use('story.markFeedStoriesRead', ({ feedId, storyId }) => ({
		feedsStories: feedId === undefined ? undefined : { [String(feedId)]: [storyId] },
	})),
	use('feed.markRead', ({ feedId }) => ({
		whichFeeds: 'feeds',
		feedIds: feedId === undefined ? undefined : [feedId],
	})),
	use('classifier.save', ofTag('like'), { undo: use('classifier.save', ofTag('remove_like')) }),
	use('savedStory.save', (own) => ({ ...ofStoryHash(own), additionalFields: { userTags: [own.name] } }), {
		keep: (_record, own) => {
			own.tag = own.name;
			own.renamedTag = `${String(own.name)} 1`;
		},
		undo: use('savedStory.unsave', ofStoryHash),
	}),
	use('savedStory.renameTag', ({ tag, renamedTag }) => ({ savedTag: tag, newTagName: renamedTag })),
	use('savedStory.deleteTag', ({ renamedTag }) => ({ savedTag: renamedTag })),
	use('savedSearch.create', ({ feedId, name }) => ({ feedId, savedQuery: name }), {
		undo: use('savedSearch.delete', ({ feedId, name }) => ({ feedId, savedQuery: name })),
	}),
	use('share.create', (own) => ({ ...ofStory(own), comment: own.name }), {
		keep: (_record, own) => {
			own.isShared = true;
		},
		undo: use('share.delete', ofStory),
	}),
	use('comment.saveReply', (own) => ({ ...ofComment(own), replyText: own.name }), {
		keep: ({ replyId }, own) => {
			own.replyId = replyId;
		},
		undo: use('comment.removeReply', (own) => ({ ...ofComment(own), replyId: own.replyId })),
	}),
	use('feed.rename', ({ feedId, name }) => ({ feedId, feedTitle: name })),
	use(
		'feed.move',
		({ feedId, folder: from, otherFolder }) => ({ feedId, inFolder: from, toFolder: otherFolder }),
		{
			keep: (_record, own) => {
				own.feedFolder = own.otherFolder;
			},
		},
	),
	use('folder.rename', (own) => ({ folder: own.folder, newFolderName: `${String(own.name)} 1` }), {
		keep: (_record, own) => {
			own.folder = `${String(own.name)} 1`;
		},
	}),
	use('folder.move', (own) => ({ folder: own.folder, toFolder: own.otherFolder }), {
		keep: (_record, own) => {
			own.folder = `${String(own.otherFolder)}/${String(own.folder)}`;
		},
	}),
];

export const steps: Record<ServiceName, Step[]> = { linkManager: linkSteps, newsReader: readerSteps };
