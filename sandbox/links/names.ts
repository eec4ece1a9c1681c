import type { LinkContext } from './context.ts';

/** The name of a campaign or channel as the service stores it: some hosts change its case. */
export function keptName(context: LinkContext, name: string): string {
	const trimmed = name.trim();
	if (!context.differs('name-case')) return trimmed;
	return trimmed.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}
