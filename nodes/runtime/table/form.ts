import type { Field, Fields } from '../fields/field';
import type { Operation } from './operation';
import { listSettings } from './settings';

/** The fields of an operation by the names of their parameters. */
export const fieldsOf = ({ path, form, query, body }: Operation): Array<[string, Field]> =>
	[path, form, query, body].flatMap((fields: Fields) =>
		Object.entries(fields).map(([name, field]): [string, Field] => [field.parameter ?? name, field]),
	);

/** What stands in the form of an operation, in a version of its node, before anybody fills it in: by parameter. */
export function initialForm(row: Operation, version: number): Map<string, unknown> {
	const standing = fieldsOf(row).filter(([, { prominent, limiting }]) => prominent && !limiting);
	const properties = [
		...standing.flatMap(([name, field]) => field.properties(name)),
		...listSettings.limit.properties('limit'),
	];
	const isShown = ({ displayOptions }: (typeof properties)[number]): boolean =>
		displayOptions?.show?.['@version']?.includes(version) ?? true;
	return new Map(properties.filter(isShown).map(({ name, default: initial }) => [name, initial]));
}
