/** How pages of figures are written. */

/** A table in Markdown; all but the first column are numbers. */
export const table = (...rows: Array<Array<string | number>>): string => {
	const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
	const line = `|${rows[0]!.map((_, column) => (column === 0 ? ' --- ' : ' ---: ')).join('|')}|`;
	return [head, line, ...body].join('\n');
};
export const number = (value: number): string => value.toLocaleString('en');
export const kilobytes = (bytes: number): string => `${number(Math.round(bytes / 1000))} kB`;
export const megabytes = (bytes: number): string => `${number(Math.round(bytes / 1e6))} MB`;
