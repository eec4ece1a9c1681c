import type { LinkContext } from './context.ts';

/** The name of a campaign or channel as the service stores it: hosts in use store it In Title Case. */
export function keptName(context: LinkContext, name: string): string {
	const trimmed = name.trim();
	if (!context.isReal) return trimmed;
	return trimmed.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}
