/** Formats tables and numbers of the result pages. */

/** A Markdown table; all columns except the first contain numbers. */
export const table = (...rows: Array<Array<string | number>>): string => {
	const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
	const line = `|${rows[0]!.map((_, column) => (column === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
	return [head, line, ...body].join('\n');
};
export const number = (value: number): string => value.toLocaleString('en');
export const kilobytes = (bytes: number): string => `${number(Math.round(bytes / 1000))} kB`;
export const megabytes = (bytes: number): string => `${number(Math.round(bytes / 1e6))} MB`;
