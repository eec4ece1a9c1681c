import { folded, toText } from '../../runtime/values';

/** Countries, languages and devices that a short link can redirect differently. Node.js provides the names. */

/** A choice in the editor: the value to send and the name to show. */
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

const naming = (type: 'language' | 'region', style: 'long' | 'short' = 'long'): Intl.DisplayNames =>
	new Intl.DisplayNames('en', { type, style, fallback: 'none' });

/** A name for comparisons: without accents, case and punctuation. */
const audienceKey = (name: unknown): string =>
	folded(toText(name))
		.replace(/&/g, 'and')
		.replace(/[^a-z]+/g, ' ')
		.trim();

/** The choices of one kind, and the names by which each is found. */
class AudienceList {
	private readonly byName = new Map<string, string>();
	readonly list: Audience[] = [];

	/** `isListed` is false for old codes, which are accepted but not listed. */
	add(audience: Audience, isListed: boolean, ...otherNames: Array<string | undefined>): void {
		if (isListed) this.list.push(audience);
		for (const name of [audience.name, ...otherNames]) {
			if (name !== undefined && !this.byName.has(audienceKey(name)))
				this.byName.set(audienceKey(name), audience.value);
		}
	}

	/** The value of a choice, from one of its names. */
	find(name: unknown): string | undefined {
		return this.byName.get(audienceKey(name));
	}
}

/** Whether a code has not been replaced by another one. */
const isCurrent = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag;

/** Countries; their English names are sent. */
function countries(): AudienceList {
	const names = naming('region');
	const shortNames = naming('region', 'short');
	const audiences = new AudienceList();
	for (const code of CODES.filter((each) => !NO_COUNTRIES.includes(each))) {
		const region = code.toUpperCase();
		const name = names.of(region);
		if (name === undefined) continue;
		const usualName = name.replace(/ SAR China| \([^()]*\)/, '').replace(' & ', ' and ');
		const country = { name: usualName, value: usualName };
		audiences.add(country, isCurrent(`und-${region}`), code, name, shortNames.of(region));
	}
	for (const name of OTHER_NAMES) audiences.add({ name, value: name }, false);
	return audiences;
}

/** Languages; their two-letter codes are sent. */
function languages(): AudienceList {
	const names = naming('language');
	const audiences = new AudienceList();
	for (const code of CODES) {
		const name = names.of(code);
		if (name !== undefined) audiences.add({ name, value: code }, isCurrent(code), code);
	}
	return audiences;
}

/** Devices as hosts name them (seen in the wild). A host may know others, too. */
const devices: Audience[] = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'].map((name) => ({
	name,
	value: name,
}));

/** Makes a value when it is first needed. */
const lazy = <Value>(make: () => Value): (() => Value) => {
	let value: Value | undefined;
	return () => (value ??= make());
};
const allCountries = lazy(countries);
const allLanguages = lazy(languages);

/** The English name of a country, from its name or two-letter code; undefined if unknown. */
export const toCountry = (name: unknown): string | undefined => allCountries().find(name);
/** The code of a language, from its name or code; undefined if unknown. */
export const toLanguage = (name: unknown): string | undefined => allLanguages().find(name);

/** The editor's lists, by name. */
export const audienceLists: Record<string, () => Audience[]> = {
	country: () => allCountries().list,
	device: () => devices,
	language: () => allLanguages().list,
};
