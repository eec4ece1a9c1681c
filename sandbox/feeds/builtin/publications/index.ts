import type { Publication } from '../publication.ts';
import { bitwright } from './bitwright.ts';
import { cafeMueller } from './cafeMueller.ts';
import { harbourLantern } from './harbourLantern.ts';
import { kerbAndCrossing } from './kerbAndCrossing.ts';
import { lighthouseLetters } from './lighthouseLetters.ts';
import { liveWire } from './liveWire.ts';
import { longWalk } from './longWalk.ts';
import { nightSky } from './nightSky.ts';
import { openBench } from './openBench.ts';
import { slowKitchen } from './slowKitchen.ts';

/** In the order a new account lists them. */
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
