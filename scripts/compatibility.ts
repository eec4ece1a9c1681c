/** Generates the tables of docs/compatibility.md from the stored reports of `npm run check`. */
import type { Report } from '../check/report.ts';
import { markdownTable } from './reference.ts';

/** Reports by file name, without extension. */
export type Reports = Record<string, Report>;

/** One table per node: a row per operation, a column per host. */
export function compatibilityTables(reports: Reports): string {
	const all = Object.entries(reports).flatMap(([file, { services }]) =>
		services.map((service) => ({ file, ...service })),
	);
	const nodes = [...new Set(all.map(({ node }) => node))].sort();
	return nodes
		.flatMap((node) => {
			const hosts = all.filter((service) => service.node === node);
			const operations = [
				...new Set(hosts.flatMap(({ outcomes }) => outcomes.map(({ operation }) => operation))),
			];
			return [
				`## ${node}`,
				markdownTable(
					['Operation', ...hosts.map(({ host, file }) => `[${host}](compatibility/${file}.md)`)],
					operations
						.sort()
						.map((operation) => [
							`\`${operation}\``,
							...hosts.map(
								({ outcomes }) => outcomes.find((outcome) => outcome.operation === operation)?.verdict ?? '',
							),
						]),
				),
			];
		})
		.join('\n\n');
}
