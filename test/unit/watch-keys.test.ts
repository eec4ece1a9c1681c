/** The settings that are part of a watch key: when the key changes, the trigger starts over. */
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';

const choices = [undefined, [42], [42, 43], 'Tech / Deep'];

/** For each event, the alternative values of its watched fields. */
const watched: Record<string, object[]> = {
	newUnreadStory: choices.map((choice) => ({ choice })),
	feedBroken: choices.map((choice) => ({ choice })),
	unreadCountReached: [
		...choices.map((choice) => ({ choice, threshold: 50, focus: false })),
		{ choice: [42], threshold: 51, focus: false },
		{ choice: [42], threshold: 50, focus: true },
	],
	newChannelItem: [{ id: 7 }, { id: 8 }],
};

/** Fields that are not part of the watch key. */
const unwatched: Record<string, object[]> = {
	newUnreadStory: [{ filters: { title: 'solar' } }, { content: 'none' }],
	feedBroken: [{ changes: 'both' }, { changes: 'fails' }],
	newSavedStory: [{ content: 'none' }, {}],
	newSharedStory: [{}, { sharer: 7 }, { sharer: 8 }],
	savedSearchMatch: [{}, { query: 'solar' }, { query: 'wind' }],
	newInteraction: [{ kinds: ['follow'] }, {}],
	newActivity: [{ kinds: ['follow'] }, {}],
	newQrScan: [{ itemPerCount: true }, {}],
	newShortLinkClick: [{ itemPerCount: true }, {}],
};

type Keyed = Record<string, { watchKey?(values: object): unknown }>;
const keyOf = (event: string, values: object): string =>
	JSON.stringify(({ ...linkEvents, ...readerEvents } as unknown as Keyed)[event]!.watchKey!(values));

it.each(Object.entries(watched))('of %s changes with each watched field', (event, values) => {
	const keys = values.map((each) => keyOf(event, each));
	expect(keys.every((key) => key !== undefined)).toBe(true);
	expect(new Set(keys).size).toBe(keys.length);
});

it.each(Object.entries(unwatched))('of %s does not change with other fields', (event, values) => {
	expect(new Set(values.map((each) => keyOf(event, each))).size).toBe(1);
});
