import type { ShortLinkSettings } from '../url-body.ts';
import { settingsOf, type UrlRow } from '../tables.ts';
import { plainCountry, type Visitor } from './visitor.ts';

/** The target of a short link for a visitor: by country, device or language, with the link's parameters. */
export function targetFor(url: UrlRow, visitor: Visitor): string {
	const settings = settingsOf(url);
	const { geotarget = [], devicetarget = [], languagetarget = [] } = settings;
	const country = plainCountry(visitor.visit.country);
	const rule =
		geotarget.find(({ location }) => plainCountry(location) === country) ??
		devicetarget.find(({ device }) => visitor.devices.includes(device.toLowerCase())) ??
		languagetarget.find(({ language }) => visitor.languages.includes(language.toLowerCase()));
	return withParameters(rule?.link ?? url.longurl, settings);
}

function withParameters(address: string, { parameters = [] }: ShortLinkSettings): string {
	if (parameters.length === 0) return address;
	const url = new URL(address);
	for (const { name, value } of parameters) url.searchParams.append(name, value);
	return url.href;
}
