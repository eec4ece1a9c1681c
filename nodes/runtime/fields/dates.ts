import { tryToParseDateTime } from 'n8n-workflow';
import { field, type Field, type FieldOptions } from './field';
import { isRecord, toInteger } from '../values';

/** A moment, sent as `YYYY-MM-DD HH:MM:SS`: the clock time as written, no zone arithmetic. */
export const dateTime = (label: string, options: FieldOptions = {}): Field<string | undefined> =>
	field(
		label,
		{ type: 'dateTime', default: '' },
		options,
		['2031-01-02T03:04:05', '2031-02-03T04:05:06', '2031-03-04T05:06:07'],
		(raw, refuse) => {
			const written = toIso(raw);
			const [, date, time = '00:00', seconds = ':00'] =
				/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?.*)?$/.exec(written) ?? [];
			const clock = `${date}T${time}${seconds}`;
			const moment = new Date(`${clock}Z`);
			// A day or an hour that there is not becomes another one, or none.
			if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(clock)) {
				throw refuse(`"${written}" is not a date`, 'Use a form like 2031-01-02 03:04:05');
			}
			return clock.replace('T', ' ');
		},
	);

/** A moment, sent as Unix seconds. A time without a zone is one of the workflow's; numbers are Unix time. */
export const unixTime = (label: string, options: FieldOptions = {}): Field<number | undefined> => {
	const moment = field<unknown>(
		label,
		{ type: 'dateTime', default: '' },
		options,
		['2031-01-02T03:04:05Z', '2031-02-03T04:05:06Z', '2031-03-04T05:06:07Z'],
		(raw) => raw,
	);
	return {
		...moment,
		read: async (form, name) => {
			const raw = await moment.read(form, name);
			if (raw === undefined) return undefined;
			const number = toInteger(raw);
			if (number !== undefined) return Math.abs(number) < 1e11 ? number : Math.floor(number / 1000);
			const written = toIso(raw);
			const seconds = secondsOf(written, form.timezone);
			if (seconds !== undefined) return seconds;
			throw form.refuse(label, `"${written}" is not a date`, 'Use a form like 2031-01-02T03:04:05Z');
		},
	};
};

function secondsOf(written: string, timezone: string): number | undefined {
	try {
		return Math.floor(tryToParseDateTime(written, timezone).toSeconds());
	} catch {
		return undefined;
	}
}

/** The ISO form of a text, a Date, or a Luxon DateTime (what `$now` gives in an expression). */
const toIso = (raw: unknown): string => {
	if (isRecord(raw) && typeof raw.toISO === 'function') return String(raw.toISO());
	return raw instanceof Date ? raw.toISOString() : String(raw).trim();
};
