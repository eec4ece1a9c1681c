/** Stores in a file which records a check still has to remove, in case it is killed. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Unfinished, CheckResult } from './check.ts';
import { verdicts, type Outcome } from './outcome.ts';
import { serverKinds } from './host.ts';

/** The file is next to the report and contains no secret. It is deleted when there are no more records. */
export class UnfinishedFile {
	readonly #path: string;

	constructor(report: string) {
		this.#path = `${report}.unfinished.json`;
	}

	/** The records of a previous check of an account. */
	get(account: string): Unfinished | undefined {
		return this.#read()[account];
	}

	set(account: string, unfinished: Unfinished): void {
		const { [account]: _, ...others } = this.#read();
		const isDone = unfinished.removals.length === 0 && !unfinished.creating;
		const remaining = isDone ? others : { ...others, [account]: unfinished };
		if (Object.keys(remaining).length === 0) return rmSync(this.#path, { force: true });
		// Replaces the file as a whole: a check that is killed while it writes leaves the old one.
		writeFileSync(`${this.#path}.new`, `${JSON.stringify(remaining, null, '\t')}\n`);
		renameSync(`${this.#path}.new`, this.#path);
	}

	#read(): Record<string, Unfinished> {
		if (!existsSync(this.#path)) return {};
		return JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, Unfinished>;
	}
}

/** The report of a check. It contains no secrets and no records, but the reason for a failure can quote a record. */

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
