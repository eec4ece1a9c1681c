import { unpacked } from '../../nodes/description';
import { packed } from '../../scripts/packed';

const byId = { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 42' };
const feed = { displayName: 'Feed', name: 'feedId', modes: [{ ...byId }, { ...byId, name: 'url' }] };
const description = {
	properties: [
		{ ...feed, required: true },
		{ displayName: 'Filters', options: [structuredClone(feed), { ...byId }], default: {} },
		{ displayName: 'Options', options: [structuredClone(feed)], default: { shared: 0, of: null } },
		{ ...structuredClone(feed), displayOptions: { show: { operation: ['get'] } } },
	],
};

it('a description comes back as it was, and holds once what stood in several places', () => {
	const written = JSON.stringify(packed(description));
	expect(unpacked(JSON.parse(written) as ReturnType<typeof packed>)).toEqual(description);
	expect(written.split('By ID')).toHaveLength(3);
	expect(written.split('feedId')).toHaveLength(3);
});
