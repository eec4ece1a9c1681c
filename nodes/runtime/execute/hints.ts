import type { Run } from './run';

/** Shows the messages that are not part of the items, at the end of a run. */
export function showHints(run: Run, itemCount: number): void {
	for (const message of [...run.hints, ...waits(run), ...repeatedList(run, itemCount)]) {
		run.context.addExecutionHints({ message, location: 'outputPane' });
	}
}

const waits = ({ client, service }: Run): string[] =>
	client.waits.total < 1000
		? []
		: [`Waited ${Math.round(client.waits.total / 1000)} s in all for the rate limit of ${service.name}`];

const repeatedList = ({ listInputs }: Run, itemCount: number): string[] =>
	listInputs.size !== 1 || itemCount < 2
		? []
		: [
				`Each of the ${itemCount} input items got the same list: turn on Execute Once in the node’s settings to get it once`,
			];
