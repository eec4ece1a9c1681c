import type { Events } from '../../runtime/table/event';
import { feedBroken, unreadCountReached } from './feed-states';
import { savedSearchMatch } from './saved-search';
import { newActivity, newInteraction } from './interactions';
import { newSharedStory } from './shares';
import { newSavedStory, newUnreadStory } from './new-stories';

/** Everything that the News Reader Trigger can wait for. The first event is the form's default: keep it first. */
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
