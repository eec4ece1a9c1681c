import type { INodeType, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

/** Manual Trigger: one empty item. */
export const manualTrigger: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Runs the flow on clicking a button in n8n',
		defaults: { name: 'When clicking ‘Execute workflow’' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return { manualTriggerFunction: async () => this.emit([this.helpers.returnJsonArray([{}])]) };
	},
};

/**
 * Schedule Trigger: a manual run returns one item with the time as `timestamp`. It has no schedule: the caller of the
 * engine starts production runs, with the items of the trigger.
 */
export const scheduleTrigger: INodeType = {
	description: {
		displayName: 'Schedule Trigger',
		name: 'scheduleTrigger',
		group: ['trigger', 'schedule'],
		version: [1, 1.1, 1.2, 1.3],
		description: 'Triggers the workflow on a given schedule',
		defaults: { name: 'Schedule Trigger' },
		inputs: [],
		outputs: ['main'],
		properties: [
			{
				displayName: 'Trigger Rules',
				name: 'rule',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: { interval: [{ field: 'days' }] },
				options: [
					{
						name: 'interval',
						displayName: 'Trigger Interval',
						values: [
							{
								displayName: 'Trigger Interval',
								name: 'field',
								type: 'options',
								default: 'days',
								options: [
									{ name: 'Seconds', value: 'seconds' },
									{ name: 'Minutes', value: 'minutes' },
									{ name: 'Hours', value: 'hours' },
									{ name: 'Days', value: 'days' },
									{ name: 'Weeks', value: 'weeks' },
									{ name: 'Months', value: 'months' },
									{ name: 'Custom (Cron)', value: 'cronExpression' },
								],
							},
							{ displayName: 'Trigger at Hour', name: 'triggerAtHour', type: 'options', default: 0 },
							{ displayName: 'Trigger at Minute', name: 'triggerAtMinute', type: 'number', default: 0 },
							{ displayName: 'Expression', name: 'expression', type: 'string', default: '' },
						],
					},
				],
			},
		],
	},
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const items = () => this.helpers.returnJsonArray([{ timestamp: new Date().toISOString() }]);
		return { manualTriggerFunction: async () => this.emit([items()]) };
	},
};
