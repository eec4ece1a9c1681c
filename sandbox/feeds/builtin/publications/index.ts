import type { Publication } from '../publication.ts';
import { bitwright } from './bitwright.ts';
import { cafeMueller } from './cafe-mueller.ts';
import { harbourLantern } from './harbour-lantern.ts';
import { kerbAndCrossing } from './kerb-and-crossing.ts';
import { lighthouseLetters } from './lighthouse-letters.ts';
import { liveWire } from './live-wire.ts';
import { longWalk } from './long-walk.ts';
import { nightSky } from './night-sky.ts';
import { openBench } from './open-bench.ts';
import { slowKitchen } from './slow-kitchen.ts';

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
