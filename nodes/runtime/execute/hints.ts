import type { IExecuteFunctions } from 'n8n-workflow';
import type { Run } from './run';

/** Shows the messages that are not part of the items, at the end of a run. */
export function showHints(context: IExecuteFunctions, { client, hints, listInputs, itemCount }: Run): void {
	const waited = client.waits.total;
	if (waited >= 1000) {
		hints.add(`Waited ${Math.round(waited / 1000)} s in all for the rate limit of ${client.service.name}`);
	}
	if (itemCount > 1 && listInputs.length === itemCount && new Set(listInputs).size === 1) {
		hints.add(
			`Each of the ${listInputs.length} input items got the same list: turn on Execute Once in the node’s settings to get it once`,
		);
	}
	for (const message of hints) context.addExecutionHints({ message, location: 'outputPane' });
}
