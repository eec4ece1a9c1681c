/** Checks for Title Case and sentence case as n8n writes them, except words with a fixed spelling. */

/** Words with a fixed spelling. */
const fixedSpellings = `
	AI API CSS CSV CTA DNS GIF HTML HTTP HTTPS ID IDs IP ISO JPG JSON OAuth OAuth2 OPML OS
	PDF PIN PNG QR RGB RSS SMS SSID SSL SVG TXT URI URL URLs UTC UTM vCard WEP Wi-Fi WPA
	WPA2 WPA3 XML n8n AdRoll AdWords Bing Facebook GA4 Google GTM GTag LinkedIn Pinterest
	Quora Reddit Snapchat TikTok Twitter X YouTube WhatsApp Android iOS iPhone iPad macOS
	Windows
`.match(/\S+/g)!;

/** Words in lower case inside a title. */
const lowerCaseWords = new Set(
	`a an and as at but by for from if in into nor of off on or per than that the to up via vs with without`.split(
		' ',
	),
);

const spellings = new Map(fixedSpellings.map((word) => [word.toLowerCase(), word]));

/** The words of a text without punctuation; splits at hyphens and slashes. */
function wordsOf(text: string): string[] {
	return text
		.split(/\s+/)
		.map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
		.flatMap((word) => (spellings.get(word.toLowerCase()) === word ? [word] : word.split(/[-/]/)))
		.filter((word) => word !== '');
}

/** Why a text is not Title Case; undefined if it is. */
export function titleCaseFault(text: string): string | undefined {
	const words = wordsOf(text);
	for (const [index, word] of words.entries()) {
		const spelling = spellings.get(word.toLowerCase());
		const inside = index > 0 && index < words.length - 1;
		const expected =
			spelling ?? (inside && lowerCaseWords.has(word.toLowerCase()) ? word.toLowerCase() : capitalized(word));
		if (word !== expected) return `"${word}" in "${text}" should be "${expected}"`;
	}
	return undefined;
}

/** Why a text is not in sentence case; undefined if it is. */
export function sentenceCaseFault(text: string): string | undefined {
	const words = wordsOf(text);
	for (const [index, word] of words.entries()) {
		const spelling = spellings.get(word.toLowerCase());
		const expected = spelling ?? (index === 0 ? capitalized(word.toLowerCase()) : word.toLowerCase());
		if (word !== expected) return `"${word}" in "${text}" should be "${expected}"`;
	}
	return undefined;
}

/** Whether a text has more than one sentence. */
export function hasSeveralSentences(text: string): boolean {
	return /[.!?]["')]?\s+\p{Lu}/u.test(text);
}

function capitalized(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}
