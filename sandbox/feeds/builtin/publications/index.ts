import type { Publication } from '../publication.ts';
import { bitwright, nightSky, openBench } from './technology-and-science.ts';
import { cafeMueller, lighthouseLetters, longWalk, slowKitchen } from './culture-and-life.ts';
import { harbourLantern, kerbAndCrossing, liveWire } from './news.ts';

/** The publications in the order of a new account. */
export const publications: readonly Publication[] = [
	harbourLantern,
	kerbAndCrossing,
	bitwright,
	openBench,
	nightSky,
	cafeMueller,
	longWalk,
	lighthouseLetters,
	slowKitchen,
	liveWire,
];

export function publicationOf(slug: string): Publication | undefined {
	return publications.find((publication) => publication.slug === slug);
}
