import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import type { Fields } from '../fields/field';
import type { Events } from '../table/event';
import { firstPollSettings, pollSettings } from '../table/settings';
import { inSentence, sortedBy } from '../values';
import { joinedForms } from './form';

/** All properties of a trigger node: the event, the parameters of each event, and the polling options. */
export function triggerProperties(events: Events): INodeProperties[] {
	const [firstName = ''] = Object.keys(events);
	const choices = Object.entries(events).map(([value, { name, description }]) => ({
		name,
		value,
		description,
		action: actionOf(name),
	}));
	return [
		{
			displayName: 'Trigger On',
			name: 'event',
			type: 'options',
			noDataExpression: true,
			options: sortedBy(choices, ({ name }) => name),
			default: firstName,
			description: 'What starts the workflow',
		},
		...joinedForms(
			Object.entries(events).map(([name, { fields, filters }]) => [
				name,
				[...fieldProperties(fields), ...collection(filters)],
			]),
			(names) => ({ event: names }),
		),
		...polling,
	];
}

/** The event's name in the editor's node panel: "New QR Scan" is "On new QR scan". */
const actionOf = (name: string): string => `On ${inSentence(name)}`;

const fieldProperties = (fields: Fields): INodeProperties[] =>
	Object.entries(fields).flatMap(([key, field]) => field.properties(field.paramName ?? key));

const collection = (filters: Fields): INodeProperties[] => {
	const options = sortedBy(fieldProperties(filters), ({ displayName }) => displayName);
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

const polling: INodeProperties[] = [
	...firstPollSettings.firstPoll.properties('firstPoll'),
	...firstPollSettings.firstCount
		.properties('firstCount')
		.map((property) => showWhen(property, { firstPoll: ['last'] })),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		description: 'Limits of a poll, and what happens after a restart',
		options: fieldProperties(pollSettings),
	},
];
