import { z } from 'zod/v4';
import { invalid } from '../failure.ts';
import { filledText, firstProblem, object, oneOf, optional, text, textThat, webUrl } from '../fields.ts';

const emailAddress = textThat((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address');
const phone = textThat((value) => /^\+?[\d ().-]{3,25}$/.test(value), 'must be a phone number');

/** The shape of `data` for each type, as seen on real hosts (the contract says "a string or an array"). */
const dataByType = {
	text: filledText,
	link: webUrl,
	phone,
	email: object({ email: emailAddress, subject: optional(text), body: optional(text) }),
	sms: object({ phone, message: optional(text) }),
	wifi: object({
		ssid: filledText,
		encryption: optional(
			z.preprocess(
				(value) => (typeof value === 'string' ? value.toLowerCase() : value),
				oneOf(['wpa', 'wpa2', 'wpa3', 'wep', 'nopass', 'none', '']),
			),
		),
		pass: optional(text),
	}),
	vcard: object({
		fname: optional(text),
		lname: optional(text),
		organization: optional(text),
		phone: optional(text),
		email: optional(text),
		site: optional(text),
	}).refine((card) => Object.values(card).some((value) => value !== undefined && value !== ''), {
		message: 'must name at least one of fname, lname, organization, phone, email, site',
		path: [],
	}),
};

export type QrType = keyof typeof dataByType;
export type QrData = { [Type in QrType]: { type: Type; data: z.infer<(typeof dataByType)[Type]> } }[QrType];

export const qrTypes = ['text', 'vcard', 'link', 'email', 'phone', 'sms', 'wifi'] as const satisfies QrType[];

/** Parses `data` according to its type. @throws Failure if it is invalid */
export function readData(type: QrType, data: unknown): QrData {
	const schema: z.ZodType = dataByType[type];
	const parsed = object({ data: schema }).safeParse({ data: named(schema, data) });
	if (!parsed.success) throw invalid(firstProblem(parsed.error));
	return { type, data: parsed.data.data } as QrData;
}

/** Assigns the values of a list to the fields, in order. The contract says only "array". */
function named(schema: z.ZodType, data: unknown): unknown {
	if (!Array.isArray(data) || !(schema instanceof z.ZodObject)) return data;
	return Object.fromEntries(Object.keys(schema.shape).map((name, index) => [name, data[index] as unknown]));
}
