/** Runs workflows and prints the results. */
import { styleText } from 'node:util';
import { CommandError } from '../scripts/command.ts';
import type { Engine, RunResult, WorkflowJson } from '../engine/index.ts';

/** Runs a scheduled workflow and prints each node when it finishes. */
export async function runAndReport(
	engine: Engine,
	workflow: WorkflowJson,
	title: string,
): Promise<RunResult> {
	console.log(title);
	let startedAt = performance.now();
	const result = await engine.run({
		workflow,
		mode: 'trigger',
		startNode: workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.scheduleTrigger')?.name,
		input: [{ timestamp: new Date().toISOString() }],
		onNodeFinished: (node, outputs) => {
			const count = outputs.flat().length;
			console.log(
				`  ${node.padEnd(16)}${String(count).padStart(3)} ${count === 1 ? 'item ' : 'items'}  ${seconds(startedAt)}`,
			);
			startedAt = performance.now();
		},
	});
	const { error } = result;
	if (error) {
		const node = 'node' in error && error.node ? ` at the node "${error.node.name}"` : '';
		const details = 'description' in error && error.description ? ` ${error.description}` : '';
		throw new CommandError(`The workflow stopped${node}: ${error.message.replace(/\.$/, '')}.${details}`);
	}
	for (const { name } of workflow.nodes) {
		for (const hint of result.hints(name)) console.log(`  ${name}: ${hint.message}`);
	}
	return result;
}

/** Prints a table whose columns fit their contents. */
export function printTable(heads: string[], rows: string[][]): void {
	const widths = heads.map((_, column) =>
		Math.max(...[heads, ...rows].map((cells) => cells[column]!.length)),
	);
	const line = (cells: string[]) =>
		`  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd();
	console.log(styleText('bold', `\n${line(heads)}`));
	for (const cells of rows) console.log(line(cells));
	console.log();
}

export function cut(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

export function seconds(since: number): string {
	return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
