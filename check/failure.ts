/** Why the check cannot begin; the message is a sentence for the person who ran it. */
export class CheckError extends Error {}
