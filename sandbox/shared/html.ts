/** Safe HTML: created by `html`, or sanitized. */
export class Html {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
	toString(): string {
		return this.text;
	}
}

type Part = Html | string | number | boolean | null | undefined | readonly Part[];

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function render(part: Part): string {
	if (part instanceof Html) return part.text;
	if (Array.isArray(part)) return part.map(render).join('');
	return part === null || part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** Template tag that escapes values except `Html` and lists of it; omits `null`, `undefined` and `false`. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
	return new Html(strings.map((string, index) => string + render(values[index])).join(''));
}
