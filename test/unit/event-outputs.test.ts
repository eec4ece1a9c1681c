/** The output members of events, depending on the settings of the trigger. */
import { events as linkEvents } from '../../nodes/LinkManager/triggers';
import { events as readerEvents } from '../../nodes/NewsReader/triggers';

type WithOutput = Record<string, { output?(values: object): { members: object } | undefined }>;
const membersOf = (event: string, values: object): string[] | undefined => {
	const schema = ({ ...linkEvents, ...readerEvents } as unknown as WithOutput)[event]!.output!(values);
	return schema && Object.keys(schema.members);
};

it.each([
	['newQrScan', { itemFor: 'code' }, ['newScans', 'previousScans'], ['scan']],
	['newQrScan', { itemFor: 'scan' }, ['scan'], ['newScans', 'previousScans']],
	['newShortLinkClick', { itemFor: 'link' }, ['newClicks', 'previousClicks'], ['click']],
	['newShortLinkClick', { itemFor: 'click' }, ['click'], ['newClicks', 'previousClicks']],
])('%s with %j has %j and not %j', (event, values, members, others) => {
	const all = membersOf(event, values);
	expect(all).toEqual(expect.arrayContaining([...members, 'createdDate', 'noticedAt', 'changes']));
	for (const other of [...others, 'date']) expect(all).not.toContain(other);
});

it.each(['newUnreadStory', 'newSavedStory', 'newSharedStory', 'savedSearchMatch'])(
	'%s has the simplified members unless Simplify is off',
	(event) => {
		expect(membersOf(event, {})).toContain('feedTitle');
		expect(membersOf(event, { simplify: false })).toBeUndefined();
	},
);
