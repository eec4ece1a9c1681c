import type { IDataObject } from 'n8n-workflow';
import { camelCase, isRecord } from '../../runtime/values';
import { shaped, type Output, type Shape } from '../../runtime/table/operation';
import {
	anInteger,
	aText,
	record,
	type RecordOf,
	type RecordSchema,
	type ValueSchema,
} from '../../runtime/table/record';

/** Ours, where they are not the service's in camelCase; undefined drops a member. */
export type Names = Readonly<Record<string, string | undefined>>;

const STORY_NAMES: Names = { story_hash: 'hash', story_id: 'id' };

export const aStoryHash = aText.described('Hash of the story: feed ID, colon, six characters');
export const aFeedId = anInteger.described('ID of the feed');

const renamedIn = (source: Readonly<Record<string, unknown>>, names: Names): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(source).flatMap(([name, value]) => {
			const own = Object.hasOwn(names, name) ? names[name] : camelCase(name);
			return own === undefined ? [] : [[own, value]];
		}),
	);

function renamedInside(value: unknown, names: Names): unknown {
	if (Array.isArray(value)) return value.map((entry) => renamedInside(entry, names));
	if (!isRecord(value)) return value;
	const inside = Object.entries(value).map(([name, member]) => [name, renamedInside(member, names)]);
	return renamedIn(Object.fromEntries(inside) as Record<string, unknown>, names);
}

/** Keys inside a member may be data: they are renamed, by `namesInside`, only if `inside` has its name (ours). */
export const inOurNames = (
	output: Output,
	names: Names = STORY_NAMES,
	inside: readonly string[] = [],
	namesInside: Names = {},
): Output => ({
	...output,
	shape: shaped<RecordSchema>(
		record(renamedIn(output.schema.members, names) as RecordSchema['members']),
		(raw) => {
			const ours = Object.entries(renamedIn(raw, names)).map(([name, value]) => [
				name,
				inside.includes(name) ? renamedInside(value, namesInside) : value,
			]);
			return Object.fromEntries(ours) as RecordOf<RecordSchema>;
		},
	),
});

/** The service's name of a member, or a function that makes it. */
type Source = string | ((...of: Required<Parameters<Shape['map']>>) => unknown);

/** A null becomes the default value of the type, if it has one. */
type Sources = Readonly<Record<string, readonly [source: Source, type: ValueSchema]>>;

export interface Selection<Own extends Sources = Sources> {
	/** The service's record, with the members that ours come from. */
	raw: RecordSchema;
	schema: RecordSchema<{ [Name in keyof Own]: Own[Name][1] }>;
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
			const values = members.map(([name, [source, type]]) => {
				const value = typeof source === 'string' ? service[source] : source(service, response, params, sent);
				return [name, value ?? type.defaultValue?.() ?? value];
			});
			return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
		},
	};
}

export const selected = (
	{ raw, schema, map }: Selection,
	select: Output['select'] = ({ json }) => json,
): Output => ({ schema: raw, select, shape: { schema, map } });

/** `enrich` adds members that the response may lack. */
export const simplifiedTo = (
	parts: Selection,
	select?: Output['select'],
	enrich?: Shape['enrich'],
): Output => ({
	...selected(parts, select),
	shape: { schema: parts.schema, map: parts.map, enrich, offersSimplify: true },
});
