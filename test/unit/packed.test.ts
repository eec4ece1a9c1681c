import { unpacked } from '../../nodes/description';
import { packed } from '../../scripts/packed';

const byId = { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 42' };
const feed = { displayName: 'Feed', name: 'feedId', modes: [{ ...byId }, { ...byId, name: 'url' }] };
const description = {
	properties: [
		{ ...feed, required: true },
		{ displayName: 'Filters', options: [structuredClone(feed), { ...byId }], default: {} },
		{ displayName: 'Options', options: [structuredClone(feed)], default: {} },
		{ ...structuredClone(feed), displayOptions: { show: { operation: ['get'] } } },
		{ ...structuredClone(feed), options: [], displayOptions: { hide: { operation: ['get'] } } },
	],
};

it('a description comes back as it was, and holds once what stood in several places', () => {
	const written = JSON.stringify(packed(description));
	expect(unpacked(JSON.parse(written) as ReturnType<typeof packed>)).toEqual(description);
	expect(written.split('By ID')).toHaveLength(3);
	expect(written.split('feedId')).toHaveLength(3);
});

it.each([{ ref: 0 }, { shown: {} }])('a description that would be read as another is refused: %j', (odd) => {
	expect(() => packed({ properties: [odd] })).toThrow(JSON.stringify(odd));
});
