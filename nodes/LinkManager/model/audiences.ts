import { folded, toText } from '../../runtime/values';

/** Countries, languages and devices that a short link can redirect differently. Node.js provides the names. */

interface Audience {
	value: string;
	name: string;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CODES = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
/** Codes for which Node.js has a name, but which are not countries: unions and placeholders. */
const NO_COUNTRIES = ['eu', 'ez', 'qo', 'un', 'xa', 'xb', 'zz'];
/** Former or other names of countries that a user may enter; the service gets them unchanged. */
const OTHER_NAMES = ['Burma', 'Czech Republic', 'Ivory Coast', 'Macau', 'Macedonia', 'Swaziland', 'Turkey'];
/** Other names of languages, which the form shows, too. Node.js has replaced the codes `tl` and `tw`. */
const OTHER_LANGUAGES: Record<string, string> = { bn: 'Bengali', fa: 'Farsi', tl: 'Tagalog', tw: 'Twi' };

const naming = (type: 'language' | 'region', style: 'long' | 'short' = 'long'): Intl.DisplayNames =>
	new Intl.DisplayNames('en', { type, style, fallback: 'none' });

/** A name for comparisons: without accents, case and punctuation. */
const audienceKey = (name: unknown): string =>
	folded(toText(name))
		.replace(/&/g, 'and')
		.replace(/[^a-z]+/g, ' ')
		.trim();

interface NamedAudience extends Audience {
	names: string[];
}

/** Countries; their English names are sent. */
function countries(): NamedAudience[] {
	const names = naming('region');
	const shortNames = naming('region', 'short');
	return CODES.filter((code) => !NO_COUNTRIES.includes(code)).flatMap((code): NamedAudience[] => {
		const region = code.toUpperCase();
		const name = names.of(region);
		if (name === undefined || !isCurrent(`und-${region}`)) return [];
		const usualName = name.replace(/ SAR China| \([^()]*\)/, '').replace(' & ', ' and ');
		const known = [usualName, code, name, shortNames.of(region) ?? name];
		return [{ name: usualName, value: usualName, names: known }];
	});
}

/** Languages; their two-letter codes are sent. */
function languages(): NamedAudience[] {
	const names = naming('language');
	return CODES.flatMap((code) => {
		const name = names.of(code);
		if (name === undefined) return [];
		const other = OTHER_LANGUAGES[code];
		if (other) return [{ name: `${name} (${other})`, value: code, names: [name, other, code] }];
		return isCurrent(code) ? [{ name, value: code, names: [name, code] }] : [];
	});
}

/** Whether a code has not been replaced by another one. */
const isCurrent = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag;

/** Devices as hosts name them (seen in the wild). A host may know others, too. */
const devices: Audience[] = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'].map((name) => ({
	name,
	value: name,
}));

const lazy = <Value>(make: () => Value): (() => Value) => {
	let value: Value | undefined;
	return () => (value ??= make());
};
const allCountries = lazy(countries);
const allLanguages = lazy(languages);

/** The English name of a country, from its name or two-letter code; undefined if unknown. */
export const toCountry = (name: unknown): string | undefined =>
	valueOf(allCountries(), name) ?? OTHER_NAMES.find((other) => audienceKey(other) === audienceKey(name));
/** The code of a language, from its name or code; undefined if unknown. */
export const toLanguage = (name: unknown): string | undefined => valueOf(allLanguages(), name);

const valueOf = (audiences: NamedAudience[], name: unknown): string | undefined =>
	audiences.find(({ names }) => names.some((own) => audienceKey(own) === audienceKey(name)))?.value;

const listed = (audiences: NamedAudience[]): Audience[] =>
	audiences.map(({ name, value }) => ({ name, value }));

export const audienceLists: Record<string, () => Audience[]> = {
	country: () => listed(allCountries()),
	device: () => devices,
	language: () => listed(allLanguages()),
};
