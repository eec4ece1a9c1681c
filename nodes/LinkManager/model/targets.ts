import { toText } from '../../runtime/values';

/** Countries, languages and devices that a short link can redirect differently. Node.js provides the names. */

/** A choice: the value to send and the name to show. */
interface Target {
	value: string;
	name: string;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CODES = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
/** Codes that are not countries: unions and placeholders. */
const NO_COUNTRIES = ['eu', 'ez', 'qo', 'un', 'xa', 'xb', 'zz'];
/** Other names of countries, sent as written. */
const OTHER_NAMES = ['Burma', 'Czech Republic', 'Ivory Coast', 'Macau', 'Macedonia', 'Swaziland', 'Turkey'];

const naming = (type: 'language' | 'region', style: 'long' | 'short' = 'long'): Intl.DisplayNames =>
	new Intl.DisplayNames('en', { type, style, fallback: 'none' });

/** A name in a form to compare by. */
const targetKey = (name: unknown): string =>
	toText(name)
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/&/g, 'and')
		.toLowerCase()
		.replace(/[^a-z]+/g, ' ')
		.trim();

/** The listed choices, and the names that each accepts. */
class Targets {
	private readonly byName = new Map<string, string>();
	readonly list: Target[] = [];

	/** `isListed` is false for old codes, which are accepted but not listed. */
	add(target: Target, isListed: boolean, ...names: Array<string | undefined>): void {
		if (isListed) this.list.push(target);
		for (const name of [target.name, ...names]) {
			if (name !== undefined && !this.byName.has(targetKey(name)))
				this.byName.set(targetKey(name), target.value);
		}
	}

	find = (written: unknown): string | undefined => this.byName.get(targetKey(written));
}

const isCurrent = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag;

/** Countries; their English names are sent. */
function countries(): Targets {
	const [names, shortNames] = [naming('region'), naming('region', 'short')];
	const targets = new Targets();
	for (const code of CODES.filter((each) => !NO_COUNTRIES.includes(each))) {
		const region = code.toUpperCase();
		const name = names.of(region);
		if (name === undefined) continue;
		const usual = name.replace(/ SAR China| \(.*\)/, '').replace(' & ', ' and ');
		targets.add({ name: usual, value: usual }, isCurrent(`und-${region}`), code, name, shortNames.of(region));
	}
	for (const name of OTHER_NAMES) targets.add({ name, value: name }, false);
	return targets;
}

/** Languages; their two-letter codes are sent. */
function languages(): Targets {
	const names = naming('language');
	const targets = new Targets();
	for (const code of CODES) {
		const name = names.of(code);
		if (name !== undefined) targets.add({ name, value: code }, isCurrent(code), code);
	}
	return targets;
}

/** Devices as hosts name them (seen in the wild). Hosts can know more. */
const devices: Target[] = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'].map((name) => ({
	name,
	value: name,
}));

const computedOnce = <Made>(make: () => Made): (() => Made) => {
	let made: Made | undefined;
	return () => (made ??= make());
};
const allCountries = computedOnce(countries);
const allLanguages = computedOnce(languages);

/** The English name of a country, from its name or two-letter code; undefined if unknown. */
export const toCountry = (written: unknown): string | undefined => allCountries().find(written);
/** The code of a language, from its name or code; undefined if unknown. */
export const toLanguage = (written: unknown): string | undefined => allLanguages().find(written);

/** The editor's lists, by name. */
export const targetLists: Record<string, () => Target[]> = {
	country: () => allCountries().list,
	device: () => devices,
	language: () => allLanguages().list,
};
