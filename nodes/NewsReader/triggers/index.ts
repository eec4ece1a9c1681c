import type { Events } from '../../runtime/table/event';
import { feedBroken, unreadCountReached } from './feed-states';
import { savedSearchMatch } from './saved-search';
import { newActivity, newInteraction } from './interactions';
import { newSharedStory } from './shares';
import { newSavedStory, newUnreadStory } from './new-stories';

/**
 * Everything that the News Reader Trigger can wait for. The first event is the form's default: keep it first.
 *
 * Three ideas find the events, each in a file with what it remembers at its top:
 * - `hash-list.ts` compares a list of story hashes: new unread stories and saved stories (`new-stories`). `known-hashes` saves
 *   what it knows, `story-items` makes the items, `similar-groups` groups them.
 * - `newest-first.ts` reads a list from its newest entry down to a known one: shares, interactions, activities, matches of saved
 *   searches. `list-reader` reads the list, `known-entries` saves what is known.
 * - `switches.ts` notices what switched on or off: a number of unread stories, a feed that fails.
 */
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
