import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import { inFormOrder } from '../fields/order';
import { readFields, type Fields, type Form, type Values } from '../fields/field';
import { choice, integer } from '../fields/kinds';
import type { RecordKind } from '../table/record';
import { inSentence } from '../values';
import type { Settings } from './step';
import type { Watch } from './watch';

/** What a trigger can be set to wait for: its settings, and how to see it happen. */
export interface EventRow {
	name: string;
	description: string;
	fields: Fields;
	/** Optional settings, which stand together in a collection. */
	filters: Fields;
	/** What is watched: when that changes, what is there counts as known. */
	scope(values: Values<Fields>): unknown;
	watch(values: Values<Fields>): Watch;
	/** What its items hold, from the version on whose records are whole; none where the service's own records are wanted. */
	gives?(values: Values<Fields>): RecordKind | undefined;
}

export type Events = Record<string, EventRow>;

/** Declares an event; its code sees the types of its own fields, cursor, snapshots and events. */
export function event<
	const F extends Fields,
	const O extends Fields = Record<never, never>,
	Cursor = unknown,
	Snapshot = unknown,
	Event = unknown,
>(row: {
	name: string;
	description: string;
	fields: F;
	filters?: O;
	scope?(values: Values<F> & Values<O>): unknown;
	watch(values: Values<F> & Partial<Values<O>>): Watch<Cursor, Snapshot, Event>;
	gives?(values: Values<F>): RecordKind | undefined;
}): EventRow {
	return { scope: () => null, filters: {}, ...row } as unknown as EventRow;
}

/** The settings of an event, as the form holds them. */
export async function valuesOf(row: EventRow, form: Form): Promise<Values<Fields>> {
	const filters = form.collection('filters', 'Filters');
	return { ...(await readFields(row.fields, form)), ...(await readFields(row.filters, filters)) };
}

/** All properties of a trigger node: what it waits for, the settings of each event, and how it polls. */
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

/** How the editor's node panel tells it: "New QR Scan" is "On new QR scan". */
const actionOf = (name: string): string => `On ${inSentence(name)}`;

/** What several events show alike is one property that names them all. */
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
	Object.entries(fields).flatMap(([key, field]) => field.properties(field.parameter ?? key));

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
					description: 'Which of them start the workflow; all if there are none',
					options,
				},
			];
};

const firstPoll = choice(
	'First Poll',
	{
		everything: { name: 'Everything', description: 'Hand over all that is there already' },
		last: { name: 'Last Ones', description: 'Hand over the newest of what is there already' },
		nothing: { name: 'Nothing', description: 'Hand over only what comes after publishing' },
	},
	{
		default: 'nothing',
		description: 'What to hand over when the workflow is first published; later polls only what is new',
	},
);

const firstCount = integer('How Many', {
	min: 1,
	max: 1000,
	default: 10,
	description: 'How many of what is there already to hand over',
});

const options = {
	maximum: integer('Maximum per Poll', {
		min: 1,
		max: 1000,
		default: 50,
		description: 'How many items one poll hands over at most; the rest follows at the next poll',
	}),
	repeatMinutes: integer('Repeat After Restart (Minutes)', {
		min: 0,
		max: 1440,
		default: 10,
		description:
			'How long after a poll a new start of n8n hands its items over again; 0 never repeats, but may lose some',
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
		description: 'How much one poll hands over, and what follows a restart',
		options: propertiesOf(options),
	},
];

/** The settings of how a trigger polls, as the node holds them. */
export async function pollingOf(form: Form): Promise<Omit<Settings, 'key'>> {
	const collected = form.collection('options', 'Options');
	const wanted = (await firstPoll.read(form, 'firstPoll')) ?? 'nothing';
	const count = wanted === 'last' ? await firstCount.read(form, 'firstCount') : undefined;
	const { maximum = 50, repeatMinutes = 10 } = await readFields(options, form, collected);
	return { firstPoll: wanted, lastCount: count ?? 10, maximum, repeatWithinMs: repeatMinutes * 60_000 };
}
