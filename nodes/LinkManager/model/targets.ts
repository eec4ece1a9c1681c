import { toText } from '../../runtime/values';

/** Whom a short link can lead elsewhere: countries and languages by the names that Node.js has of them, and devices. */

/** A choice: what is sent, and what people read. */
interface Target {
	value: string;
	name: string;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CODES = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
/** Codes that stand for no country: unions, placeholders. */
const NO_COUNTRIES = ['eu', 'ez', 'qo', 'un', 'xa', 'xb', 'zz'];
/** What people and hosts call countries besides: sent as it is written. */
const OTHER_NAMES = ['Burma', 'Czech Republic', 'Ivory Coast', 'Macau', 'Macedonia', 'Swaziland', 'Turkey'];

const naming = (type: 'language' | 'region', style: 'long' | 'short' = 'long'): Intl.DisplayNames =>
	new Intl.DisplayNames('en', { type, style, fallback: 'none' });

/** A name without what people write in different ways. */
const plain = (name: unknown): string =>
	toText(name)
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/&/g, 'and')
		.toLowerCase()
		.replace(/[^a-z]+/g, ' ')
		.trim();

/** What may be chosen, and what may be written for it. */
class Targets {
	private readonly byName = new Map<string, string>();
	readonly list: Target[] = [];

	/** `isListed` is false of old codes, which are taken but not offered. */
	add(target: Target, isListed: boolean, ...names: Array<string | undefined>): void {
		if (isListed) this.list.push(target);
		for (const name of [target.name, ...names]) {
			if (name !== undefined && !this.byName.has(plain(name))) this.byName.set(plain(name), target.value);
		}
	}

	find = (written: unknown): string | undefined => this.byName.get(plain(written));
}

const isCurrent = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag;

/** Countries, which are sent by their English names. */
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

/** Languages, which are sent by their codes of two letters. */
function languages(): Targets {
	const names = naming('language');
	const targets = new Targets();
	for (const code of CODES) {
		const name = names.of(code);
		if (name !== undefined) targets.add({ name, value: code }, isCurrent(code), code);
	}
	return targets;
}

/** Devices as hosts write them (seen in the wild); hosts may know others. */
const devices: Target[] = ['Android', 'iPad', 'iPhone', 'Linux', 'Mac', 'Windows'].map((name) => ({
	name,
	value: name,
}));

const once = <Made>(make: () => Made): (() => Made) => {
	let made: Made | undefined;
	return () => (made ??= make());
};
const allCountries = once(countries);
const allLanguages = once(languages);

/** The country that a name or code of two letters stands for; undefined if it is none that is known. */
export const toCountry = (written: unknown): string | undefined => allCountries().find(written);
/** The code of the language that a name or code stands for; undefined if it is none that is known. */
export const toLanguage = (written: unknown): string | undefined => allLanguages().find(written);

/** The lists of the editor, by name. */
export const targetLists: Record<string, () => Target[]> = {
	country: () => allCountries().list,
	device: () => devices,
	language: () => allLanguages().list,
};
