/** The page on compatibility, from the reports of `npm run check` that are stored next to it. */
import type { Report } from '../check/report.ts';
import { markdownTable } from './reference.ts';

/** One report by the name of its files, without extension. */
export type Reports = Record<string, Report>;

/** The result of each operation on each host: a table for each node. */
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
