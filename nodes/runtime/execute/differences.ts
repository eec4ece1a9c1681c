import { isSameAddress, withScheme } from '../addresses';
import { membersFromBody, type Operation } from '../table/operation';
import { isBlank, isRecord, toText } from '../values';
import type { KnownRecord } from './known-records';

/** The members that the record does not show as the body sets them, unless this run sent these values. */
export function differences(row: Operation, body: Record<string, unknown>, known: KnownRecord): string[] {
	const shown = { ...row.existing?.facts?.(known.record), ...withoutBlanks(known.record) };
	// A blank member counts only if a blank one is wanted: others may be unknown.
	const valueOf = (member: string, wanted: unknown): unknown =>
		(isBlank(wanted) ? known.record : shown)[member];
	return Object.entries(body).flatMap(([field, value]) => {
		const expected = Object.entries(membersFromBody(row.output, { [field]: value }));
		const isShown =
			expected.length > 0 &&
			expected.every(([member, wanted]) => isComparable(valueOf(member, wanted), wanted));
		const isSame = isShown
			? expected.every(([member, wanted]) => agrees(valueOf(member, wanted), wanted))
			: field in known.sent && JSON.stringify(known.sent[field]) === JSON.stringify(value);
		// What finds the record is as asked for: the service may show an address in another form.
		const lookUps = row.existing?.lookUps({ [field]: value }) ?? [];
		const isFound = lookUps.some(({ key, refuses }) => !refuses && known.keys.includes(key));
		return isSame || isFound ? [] : [expected[0]?.[0] ?? field];
	});
}

/** Whether a value can be compared with the wanted one: a reference to another record may lack its id. */
function isComparable(value: unknown, wanted: unknown): boolean {
	if (Array.isArray(value) && Array.isArray(wanted))
		return value.every((entry) => isComparable(entry, wanted[0]));
	if (!isRecord(value) || !isRecord(wanted)) return value !== undefined;
	return Object.keys(wanted).every((name) => name in value);
}

export const withoutBlanks = <Value>(record: Record<string, Value>): Record<string, Value> =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => !isBlank(value)));

/**
 * Whether a value is the wanted one. A record may have more members, and a list more entries. A domain may lack its
 * scheme, and a color may be in capitals.
 */
function agrees(value: unknown, wanted: unknown): boolean {
	if (Array.isArray(wanted) && Array.isArray(value)) {
		return wanted.every((entry) => value.some((candidate) => agrees(candidate, entry)));
	}
	if (isRecord(wanted) && isRecord(value)) {
		return Object.entries(wanted).every(([name, member]) => agrees(value[name], member));
	}
	if (isBlank(wanted)) return isBlank(value);
	const [shown, asked] = [toText(value).trim(), toText(wanted).trim()];
	if (/^#[\da-f]{6}$/i.test(asked)) return shown.toLowerCase() === asked.toLowerCase();
	return shown === asked || isSameAddress(withScheme(shown), asked);
}
