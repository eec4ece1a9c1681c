/** The report of a check. It can be published: it contains no secret, no user name and no content of records. */
import type { CheckResult } from './check.ts';
import { verdicts, type Outcome } from './outcome.ts';
import { serverKinds } from './server-kind.ts';

export interface Report {
	/** Version of this package. */
	version: string;
	/** `YYYY-MM-DD`. */
	date: string;
	write: boolean;
	services: Array<{ node: string; host: string } & CheckResult>;
}

export const countsOf = (outcomes: Outcome[]): string =>
	verdicts
		.map((verdict) => [outcomes.filter((outcome) => outcome.verdict === verdict).length, verdict] as const)
		.filter(([count]) => count > 0)
		.map(([count, verdict]) => `${count} ${verdict}`)
		.join(', ');

/** The printed line of an operation. */
export const lineOf = ({ verdict, operation, details }: Outcome): string =>
	`${verdict.padEnd(24)}${operation}${details.length > 0 ? `: ${details.join('; ')}` : ''}`;

/** A sentence about the kind of server; empty for a service with only one kind. */
export const kindOf = ({ kind }: Pick<CheckResult, 'kind'>): string[] =>
	kind ? [`The server is ${serverKinds[kind]}.`] : [];

export function markdownOf({ version, date, write, services }: Report): string {
	return [
		'# Compatibility report',
		`Made with n8n-nodes-newslink ${version} on ${date}${write ? ', with its own records' : ', reading only'}.`,
		...services.flatMap(({ node, host, kind, outcomes, left }) => [
			`## ${node}: ${host}`,
			...kindOf({ kind }),
			`${countsOf(outcomes)}.`,
			...left.map((record) => `**Left behind:** ${record}. Remove it by hand.`),
			table(outcomes),
		]),
		'',
	].join('\n\n');
}

const table = (outcomes: Outcome[]): string =>
	[
		['Operation', 'Result', 'Details'],
		['---', '---', '---'],
		...outcomes.map(({ operation, verdict, details }) => [operation, verdict, details.join('; ')]),
	]
		.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
		.join('\n');

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
