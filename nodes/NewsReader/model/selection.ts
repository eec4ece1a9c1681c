import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../runtime/api-types';
import { record, type RecordSchema, type ValueSchema } from '../../runtime/table/record';
import type { Output, Shape } from '../../runtime/table/operation';

/** Where a member of our record comes from: the service's name of it, or a function that makes it. */
type Source =
	| string
	| ((
			record: IDataObject,
			response: ApiResponse,
			params: Record<string, unknown>,
			sent: Record<string, unknown>,
	  ) => unknown);

/** Our members, each with its source and its type. */
type Sources = Readonly<Record<string, readonly [source: Source, type: ValueSchema]>>;

/** Our record of something that the service returns. */
export interface Selection<Own extends Sources = Sources> {
	/** The service's record, with the members that ours come from. */
	raw: RecordSchema;
	/** Our record. */
	schema: RecordSchema<{ [Name in keyof Own]: Own[Name][1] }>;
	/** Makes our record from the service's. */
	map: Shape<RecordSchema>['map'];
}

/** Declares a selection. `more` are other members of the service's record. */
export function selection<const Own extends Sources>(
	own: Own,
	more: RecordSchema['members'] = {},
): Selection<Own> {
	const members = Object.entries<Sources[string]>(own);
	const named = members.flatMap(([, [source, type]]) => (typeof source === 'string' ? [[source, type]] : []));
	const types = Object.fromEntries(members.map(([name, [, type]]) => [name, type]));
	return {
		raw: record({ ...(Object.fromEntries(named) as RecordSchema['members']), ...more }),
		schema: record(types) as RecordSchema as Selection<Own>['schema'],
		map: (service, response, params, sent = {}) => {
			const values = members.map(([name, [source]]) => [
				name,
				typeof source === 'string' ? service[source] : source(service, response, params, sent),
			]);
			return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
		},
	};
}

/** The output of a selection, from the records of a list or from what `select` selects. */
export const selected = (
	{ raw, schema, map }: Selection,
	select: Output['select'] = ({ json }) => json,
): Output => ({ schema: raw, select, shape: { schema, map } });

/** The same output, which Simplify switches off. `enrich` adds members that the response may lack. */
export const simplifiedTo = (
	parts: Selection,
	select?: Output['select'],
	enrich?: Shape['enrich'],
): Output => ({
	...selected(parts, select),
	shape: { schema: parts.schema, map: parts.map, enrich, offersSimplify: true },
});
