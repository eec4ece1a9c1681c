import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import { inFormOrder } from '../fields/order';
import { readFields, type Fields, type ParameterReader } from '../fields/field';
import { choice, integer } from '../fields/kinds';
import type { EventRow, Events } from '../table/event';
import { inSentence } from '../values';
import type { PollSettings } from './step';

/** All properties of a trigger node: the event, the parameters of each event, and how it polls. */
export function triggerProperties(events: Events): INodeProperties[] {
	const entries = Object.entries(events);
	const [firstName = ''] = Object.keys(events);
	const choices = entries
		.map(([value, { name, description }]) => ({ name, value, description, action: actionOf(name) }))
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));
	return [
		{
			displayName: 'Trigger On',
			name: 'event',
			type: 'options',
			noDataExpression: true,
			options: choices,
			default: firstName,
			description: 'What starts the workflow',
		},
		...merged(entries),
		...polling,
	];
}

/** The event's name in the editor's node panel: "New QR Scan" is "On new QR scan". */
const actionOf = (name: string): string => `On ${inSentence(name)}`;

/** Equal properties of several events become one property that is shown for all of them. */
function merged(entries: Array<[string, EventRow]>): INodeProperties[] {
	const shown: Array<{ property: INodeProperties; events: string[] }> = [];
	for (const [name, { fields, filters }] of entries) {
		for (const property of [...propertiesOf(fields), ...collection(filters)]) {
			const alike = shown.find((entry) => JSON.stringify(entry.property) === JSON.stringify(property));
			if (alike) alike.events.push(name);
			else shown.push({ property, events: [name] });
		}
	}
	return inFormOrder(shown.map(({ property, events }) => showWhen(property, { event: events })));
}

const propertiesOf = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).flatMap(([key, field]) => field.properties(field.paramName ?? key));

const collection = (filters: Fields): INodeProperties[] => {
	const options = propertiesOf(filters).sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));
	return options.length === 0
		? []
		: [
				{
					displayName: 'Filters',
					name: 'filters',
					type: 'collection',
					placeholder: 'Add Filter',
					default: {},
					description: 'Which events start the workflow; by default all',
					options,
				},
			];
};

const firstPoll = choice(
	'When First Published',
	{
		everything: { name: 'All Existing', description: 'Emit everything that exists already' },
		last: { name: 'Latest Ones', description: 'Emit the newest of what exists already' },
		nothing: { name: 'Skip Existing', description: 'Emit only what is new after publishing' },
	},
	{
		default: 'nothing',
		description: 'What to emit when the workflow is first published; after that, only new events',
	},
);

const firstCount = integer('How Many', {
	min: 1,
	max: 1000,
	default: 10,
	description: 'How many existing entries to emit, newest first',
});

const options = {
	maximum: integer('Maximum per Poll', {
		min: 1,
		max: 1000,
		default: 50,
		description: 'How many items one poll emits at most; the rest follows at the next poll',
	}),
	repeatMinutes: integer('Repeat After Restart (Minutes)', {
		min: 0,
		max: 1440,
		default: 10,
		description:
			'A restart or crash within this time after a poll repeats its items; 0 never repeats, but may lose some',
	}),
};

const polling: INodeProperties[] = [
	...firstPoll.properties('firstPoll'),
	...firstCount.properties('firstCount').map((property) => showWhen(property, { firstPoll: ['last'] })),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		description: 'Limits of a poll, and what happens after a restart',
		options: propertiesOf(options),
	},
];

/** The node's settings of how it polls. */
export async function pollingOf(reader: ParameterReader): Promise<Omit<PollSettings, 'key'>> {
	const collected = reader.collection('options', 'Options');
	const wanted = (await firstPoll.read(reader, 'firstPoll')) ?? 'nothing';
	const count = wanted === 'last' ? await firstCount.read(reader, 'firstCount') : undefined;
	const { maximum = 50, repeatMinutes = 10 } = await readFields(options, reader, collected);
	return { firstPoll: wanted, lastCount: count ?? 10, maximum, reemitWithinMs: repeatMinutes * 60_000 };
}
