import { camelCase, isRecord } from '../../runtime/values';
import { shaped, type Output } from '../../runtime/table/operation';
import { anInteger, aText, record, type RecordOf, type RecordSchema } from '../../runtime/table/record';

/** Our names that are not the service's in camelCase; undefined drops a member, because it repeats another one. */
export type Names = Readonly<Record<string, string | undefined>>;

/** Members that identify a story, in records about one. */
const STORY_NAMES: Names = { story_hash: 'hash', story_id: 'id' };

export const aStoryHash = aText.described('Hash of the story: feed ID, colon, six characters');
export const aFeedId = anInteger.described('ID of the feed');

/** The members of a record under our names. */
const renamedIn = (source: Readonly<Record<string, unknown>>, names: Names): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(source).flatMap(([name, value]) => {
			const own = Object.hasOwn(names, name) ? names[name] : camelCase(name);
			return own === undefined ? [] : [[own, value]];
		}),
	);

/** A value in which all records have our names. */
function renamedInside(value: unknown, names: Names): unknown {
	if (Array.isArray(value)) return value.map((entry) => renamedInside(entry, names));
	if (!isRecord(value)) return value;
	const inside = Object.entries(value).map(([name, member]) => [name, renamedInside(member, names)]);
	return renamedIn(Object.fromEntries(inside) as Record<string, unknown>, names);
}

/**
 * An output whose members have our names: the service's in camelCase, or those in `names`. The members inside a value
 * are renamed only if `inside` has its name (ours): in other values, keys may be data.
 */
export const inOurNames = (
	output: Output,
	names: Names = STORY_NAMES,
	inside: readonly string[] = [],
): Output => ({
	...output,
	shape: shaped<RecordSchema>(
		record(renamedIn(output.schema.members, names) as RecordSchema['members']),
		(raw) => {
			const ours = Object.entries(renamedIn(raw, names)).map(([name, value]) => [
				name,
				inside.includes(name) ? renamedInside(value, names) : value,
			]);
			return Object.fromEntries(ours) as RecordOf<RecordSchema>;
		},
	),
});
