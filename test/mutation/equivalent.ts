/** Changes that nobody could see, with the reason. */
export const EQUIVALENT: Record<string, string> = {};
