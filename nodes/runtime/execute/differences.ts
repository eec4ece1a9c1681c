import type { IDataObject } from 'n8n-workflow';
import { isSameAddress } from '../addresses';
import { membersFromBody, type Operation } from '../table/operation';
import { isBlank, isRecord, toText, withoutBlanks } from '../values';
import type { KnownRecord } from './known-records';

/** The members of the body that the record does not have as the body sets them, by their names in the record. */
export function differences(row: Operation, body: Record<string, unknown>, current: KnownRecord): string[] {
	const facts = factsOf(row, current.record);
	const keys = row.existing?.keysOf(current.record) ?? [];
	return Object.entries(body).flatMap(([field, value]) => {
		const asked = { [field]: value };
		const wanted = field in facts ? (asked as IDataObject) : membersFromBody(row.output, asked);
		const isAsWanted =
			isFoundBy(row, asked, keys) || (hasMembers(facts, wanted, current) ?? wasSent(field, value, current));
		return isAsWanted ? [] : [Object.keys(wanted)[0] ?? field];
	});
}

export const factsOf = ({ existing }: Pick<Operation, 'existing'>, record: IDataObject): IDataObject =>
	existing?.facts?.read(record[existing.facts.of]) ?? {};

/** Whether these members find the record. Then they are as asked for: the service may show an address in another form. */
function isFoundBy({ existing }: Operation, body: Record<string, unknown>, keys: string[]): boolean {
	return (existing?.lookUps(body) ?? []).some(({ key, refuses }) => !refuses && keys.includes(key));
}

/** Whether the record has the wanted members; undefined if it does not show them. */
function hasMembers(facts: IDataObject, wanted: IDataObject, { record }: KnownRecord): boolean | undefined {
	const withFacts = { ...withoutBlanks(record), ...facts };
	const pairs = Object.entries(wanted).map(([member, value]) => ({
		value,
		// A blank member counts only if a blank one is wanted: others may be unknown.
		shown: (isBlank(value) ? record : withFacts)[member],
	}));
	if (pairs.length === 0 || !pairs.every(({ shown, value }) => isComparable(shown, value))) return undefined;
	return pairs.every(({ shown, value }) => agrees(shown, value));
}

/** Whether this run sent the value for the record. */
const wasSent = (field: string, value: unknown, { sent }: KnownRecord): boolean =>
	field in sent && JSON.stringify(sent[field]) === JSON.stringify(value);

/** Whether a value can be compared with the wanted one: a reference to another record may lack its id. */
function isComparable(value: unknown, wanted: unknown): boolean {
	if (Array.isArray(value) && Array.isArray(wanted))
		return value.every((entry) => isComparable(entry, wanted[0]));
	if (!isRecord(value) || !isRecord(wanted)) return value !== undefined;
	return Object.keys(wanted).every((name) => name in value);
}

/**
 * Whether a value is the wanted one. A record may have more members, and a list more entries. An address may be written in
 * another way that a browser opens alike, and a color may be in capitals.
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
	return shown === asked || isSameAddress(shown, asked);
}
