import { tryToParseDateTime } from 'n8n-workflow';
import { field, type Field, type FieldOptions, type ParameterReader } from './field';
import { isRecord, quoted, scalarText } from '../values';

/** A date and time, sent as `convert` returns it; undefined if it is not a date. `example` is a valid date. */
function dateField<Sent>(
	label: string,
	options: FieldOptions,
	example: string,
	convert: (raw: unknown, reader: ParameterReader) => Promise<Sent | undefined>,
): Field<Sent | undefined> {
	const plain = field<unknown>(label, { type: 'dateTime', default: '' }, options, (raw) => raw);
	return {
		...plain,
		read: async (reader, name) => {
			const raw = await plain.read(reader, name);
			if (raw === undefined) return undefined;
			const sent = await convert(raw, reader);
			if (sent !== undefined) return sent;
			throw reader.parameterError(label, `${quoted(raw)} is not a date`, `Use a form like ${example}`);
		},
	};
}

/**
 * A date and time, sent as `YYYY-MM-DD HH:MM:SS` in the host's time zone, or as written if that zone is unknown. A time
 * without a zone is in the workflow's zone.
 */
export const dateTime = (label: string, options: FieldOptions = {}): Field<string | undefined> =>
	dateField(label, options, '2031-01-02 03:04:05', async (raw, reader) => {
		const written = toIso(raw);
		const localTime = localTimeOf(written);
		const zone = await reader.source.hostZone?.();
		if (localTime === undefined) return undefined;
		if (zone === undefined) return localTime.replace('T', ' ');
		return tryToParseDateTime(written.trim(), reader.source.timezone)
			.setZone(zone)
			.toFormat('yyyy-MM-dd HH:mm:ss');
	});

/** A host's local time `YYYY-MM-DD HH:MM:SS` as ISO 8601 in UTC; any other value is returned unchanged. */
export function isoOf(written: unknown, zone: string): unknown {
	const localTime = typeof written === 'string' && /^\S{10} \S{8}$/.test(written) && localTimeOf(written);
	if (!localTime) return written;
	return zone === 'UTC' ? `${localTime}.000Z` : tryToParseDateTime(localTime, zone).toUTC().toISO();
}

/** A date and time, sent as Unix seconds. A time without a zone is in the workflow's zone; numbers are Unix time. */
export const unixTime = (label: string, options: FieldOptions = {}): Field<number | undefined> =>
	dateField(
		label,
		options,
		'2031-01-02T03:04:05Z',
		async (raw, reader) => epochOf(raw) ?? secondsOf(toIso(raw), reader.source.timezone),
	);

/**
 * Unix seconds of a number or a text of nine or ten digits, or of thirteen if they are milliseconds. Other numbers are
 * dates such as 20310102030405, ages or mistakes.
 */
function epochOf(raw: unknown): number | undefined {
	const written = scalarText(raw) ?? '';
	const [, seconds] = /^\s*([1-9]\d{8}|[1-9]\d{9}(?:\d{3})?)(?:\.\d+)?\s*$/.exec(written) ?? [];
	return seconds === undefined ? undefined : Number(seconds.slice(0, 10));
}

const secondsOf = (written: string, timezone: string): number | undefined =>
	localTimeOf(written) === undefined
		? undefined
		: Math.floor(tryToParseDateTime(written.trim(), timezone).toSeconds());

const ISO =
	/^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?\s*$/i;

/** The local time `YYYY-MM-DDTHH:MM:SS` of an ISO text; undefined if there is no such day or hour. */
function localTimeOf(written: string): string | undefined {
	const match = ISO.exec(written);
	if (!match) return undefined;
	const [, date = '', minutes = '00:00', seconds = ':00'] = match;
	const time = `${date}T${minutes}${seconds}`;
	// `Date` turns a day or hour that doesn't exist into one of another day.
	return new Date(`${time}Z`).getUTCDate() === Number(date.slice(-2)) ? time : undefined;
}

/** The ISO form of a text, a Date, or a Luxon DateTime (what `$now` gives in an expression); empty for anything else. */
const toIso = (raw: unknown): string => {
	if (raw instanceof Date) return raw.toISOString();
	if (isRecord(raw) && typeof raw.toISO === 'function') return String(raw.toISO());
	return scalarText(raw) ?? '';
};
