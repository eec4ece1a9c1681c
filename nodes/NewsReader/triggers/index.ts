import type { Events } from '../../runtime/poll/event';
import { feedBroken, unreadCountReached } from './levels';
import { savedSearchMatch } from './search';
import { newActivity, newInteraction, newSharedStory } from './social';
import { newSavedStory, newUnreadStory } from './stories';

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
