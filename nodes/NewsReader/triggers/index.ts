import type { Events } from '../../runtime/poll/event';
import { feedBroken } from './feedHealth';
import { unreadCountReached } from './unreadCount';
import { savedSearchMatch } from './savedSearch';
import { newActivity, newInteraction } from './interactions';
import { newSharedStory } from './shares';
import { newSavedStory, newUnreadStory } from './newStories';

/** Everything that the News Reader Trigger can wait for. */
export const events = {
	newUnreadStory,
	feedBroken,
	newActivity,
	newInteraction,
	newSavedStory,
	newSharedStory,
	savedSearchMatch,
	unreadCountReached,
} satisfies Events;
