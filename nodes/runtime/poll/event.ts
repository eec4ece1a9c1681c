import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../fields/compound';
import { readFields, type Fields, type Form, type Values } from '../fields/field';
import { isRecord } from '../values';
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
}): EventRow {
	return { scope: () => null, filters: {}, ...row } as unknown as EventRow;
}

/** The settings of an event, as the form holds them. */
export async function valuesOf(row: EventRow, form: Form): Promise<Values<Fields>> {
	const filters = form.get('filters');
	const collected = form.within(isRecord(filters) ? filters : {});
	return { ...(await readFields(row.fields, form)), ...(await readFields(row.filters, collected)) };
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
		},
		...merged(entries),
		...polling,
	];
}

/** How the editor's node panel tells it: "New QR Scan" is "On new QR scan". */
const actionOf = (name: string): string =>
	`On ${name.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())}`;

/** What several events show alike is one property that names them all. Required ones come first. */
function merged(entries: Array<[string, EventRow]>): INodeProperties[] {
	const shown: Array<{ property: INodeProperties; events: string[] }> = [];
	for (const [name, { fields, filters }] of entries) {
		for (const property of [...propertiesOf(fields), ...collection(filters)]) {
			const alike = shown.find((entry) => JSON.stringify(entry.property) === JSON.stringify(property));
			if (alike) alike.events.push(name);
			else shown.push({ property, events: [name] });
		}
	}
	return shown
		.map(({ property, events }) => showWhen(property, { event: events }))
		.sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
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
					options,
				},
			];
};

const DEFAULT_MAXIMUM = 50;
const DEFAULT_REPEAT_MINUTES = 10;

const polling: INodeProperties[] = [
	{
		displayName: 'First Poll',
		name: 'firstPoll',
		type: 'options',
		options: [
			{ name: 'Everything', value: 'everything', description: 'Hand over all that is there already' },
			{ name: 'Last Ones', value: 'last', description: 'Hand over the newest of what is there already' },
			{ name: 'Nothing', value: 'nothing', description: 'Hand over only what comes after the activation' },
		],
		default: 'nothing',
		description: 'What to hand over when the workflow is activated for the first time',
	},
	{
		displayName: 'How Many',
		name: 'firstCount',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 10,
		description: 'How many of what is there already to hand over',
		displayOptions: { show: { firstPoll: ['last'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Maximum per Poll',
				name: 'maximum',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1000 },
				default: DEFAULT_MAXIMUM,
				description: 'How many items one poll hands over at most; the rest follows at the next poll',
			},
			{
				displayName: 'Repeat After Restart (Minutes)',
				name: 'repeatMinutes',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1440 },
				default: DEFAULT_REPEAT_MINUTES,
				description:
					'How long after a poll a new start of n8n hands its items over again; 0 never repeats, but may lose some',
			},
		],
	},
];

/** The settings of how a trigger polls, as the node holds them. */
export function pollingOf(get: (name: string) => unknown): {
	firstPoll: 'nothing' | 'everything' | 'last';
	lastCount: number;
	maximum: number;
	repeatWithinMs: number;
} {
	const options = (get('options') ?? {}) as Record<string, unknown>;
	const firstPoll = get('firstPoll');
	const number = (raw: unknown, fallback: number): number => {
		const value = Number(raw ?? fallback);
		return Number.isFinite(value) && value >= 0 ? value : fallback;
	};
	return {
		firstPoll: firstPoll === 'everything' || firstPoll === 'last' ? firstPoll : 'nothing',
		lastCount: Math.max(Math.floor(number(get('firstCount'), 10)), 1),
		maximum: Math.max(Math.floor(number(options.maximum, DEFAULT_MAXIMUM)), 1),
		repeatWithinMs: number(options.repeatMinutes, DEFAULT_REPEAT_MINUTES) * 60_000,
	};
}
