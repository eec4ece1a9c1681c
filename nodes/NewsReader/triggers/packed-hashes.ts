/** Hashes without their feed: those of six hexadecimal digits, joined and in Base64; then all others, as they are. */
export type Packed = [usual: string, ...others: string[]];

/** The usual form of a story hash without its feed. */
const USUAL = /^[0-9a-f]{6}$/;
const USUAL_LENGTH = 6;

/** The members in the order in which they were packed; none for undefined. */
export function unpack(packed: Packed | undefined): Set<string> {
	const [usual = '', ...others] = packed ?? [];
	const hex = Buffer.from(usual, 'base64').toString('hex');
	const members = new Set<string>();
	for (let at = 0; at < hex.length; at += USUAL_LENGTH) members.add(hex.slice(at, at + USUAL_LENGTH));
	for (const other of others) members.add(other);
	return members;
}

export function pack(members: Iterable<string>): Packed {
	const all = [...members];
	const usual = all.filter((member) => USUAL.test(member)).join('');
	return [Buffer.from(usual, 'hex').toString('base64'), ...all.filter((member) => !USUAL.test(member))];
}
