/** Where the values for reading operations come from. */
import type { ServiceName } from './operations.ts';

/** An operation, and the member of its first record that contains the value. */
export type Source = [operation: string, member: string];

export interface Input {
	/** The first source with a value is used. */
	from: Source[];
	/** The parameter takes an array, so the value becomes its only entry. */
	isList?: true;
}

const ownUserId: Input = { from: [['profile.get', 'id']] };
const story = (member: string): Input => ({
	from: [
		['river.getAll', member],
		['story.getAll', member],
	],
});

/** Values of required parameters by name; `operation: parameter` is for one operation, required or not. */
export const inputs: Record<ServiceName, Record<string, Input>> = {
	linkManager: {
		linkId: { from: [['shortLink.getAll', 'id']] },
		channelId: { from: [['channel.getAll', 'id']] },
		qrCodeId: { from: [['qrCode.getAll', 'id']] },
	},
	newsReader: {
		'feed.autocomplete: term': { from: [['feed.getAll', 'title']] },
		'comment.getAll: feedId': story('feedId'),
		'story.getAll: feedId': { from: [['feed.getAll', 'id']] },
		'savedStory.getByHash: storyHash': { from: [['savedStory.getHashes', 'hash']] },
		feedId: {
			from: [
				['river.getAll', 'feedId'],
				['feed.getAll', 'id'],
			],
		},
		storyHash: story('hash'),
		storyId: story('id'),
		address: { from: [['feed.getAll', 'address']] },
		userId: ownUserId,
		socialUserIds: { ...ownUserId, isList: true },
		userQuery: { from: [['profile.get', 'username']] },
	},
};
