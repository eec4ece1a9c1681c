/** Something the demo found wrong; the message is a sentence for the person who ran it. */
export class DemoError extends Error {}
