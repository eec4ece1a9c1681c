import type { FastifyReply } from 'fastify';

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

const style = new Html(`
:root { color-scheme: light dark; --line: light-dark(#d8dee6, #343b45); --soft: light-dark(#f5f7fa, #1d2229);
	--quiet: light-dark(#59636f, #9aa5b1); --accent: light-dark(#0b62c4, #6db3ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #14181d); color: light-dark(#1b2027, #e6eaef); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
main.narrow { max-width: 30rem; padding-top: 12vh; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
a { color: var(--accent); } p.quiet, .quiet { color: var(--quiet); } code { font-size: .9em; background: var(--soft); padding: .1em .35em; border-radius: 4px; }
pre { background: var(--soft); padding: 1rem; border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--quiet); font-weight: 500; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } td:last-child, th:last-child { padding-right: 0; }
.scroll { margin-top: 1rem; } section.card > :first-child { margin-top: 0; } section.card > p:last-child { margin-bottom: 0; } td { overflow-wrap: anywhere; }
section.card { border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem 1.25rem; margin: 1rem 0; }
button, .button { font: inherit; border: 0; border-radius: 8px; padding: .55rem 1.1rem; background: var(--accent); color: light-dark(#fff, #10151b); cursor: pointer; text-decoration: none; display: inline-block; }
button.secondary { background: none; color: inherit; box-shadow: inset 0 0 0 1px var(--line); }
input { font: inherit; width: 100%; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); color: inherit; margin: .25rem 0 1rem; }
img.qr { width: 64px; height: 64px; display: block; }
`);

/** A page in the sandbox's design; `head` has additional elements. */
export function page(title: string, body: Html, head?: Html): Html {
	return document(
		title,
		html`<body>
			<main>${body}</main>
		</body>`,
		head,
	);
}

/** A page with a short message or form. */
export function notice(title: string, body: Html, head?: Html): Html {
	return document(
		title,
		html`<body>
			<main class="narrow">
				<h1>${title}</h1>
				${body}
			</main>
		</body>`,
		head,
	);
}

function document(title: string, body: Html, head?: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				<style>
					${style}
				</style>
				${head}
			</head>
			${body}
		</html> `;
}

/** Sends a page that may load images and frames from any host, but run no scripts. */
export function sendPage(reply: FastifyReply, document: Html, status = 200): FastifyReply {
	return reply
		.status(status)
		.headers({
			'content-security-policy':
				"default-src 'none'; style-src 'unsafe-inline'; img-src * data:; frame-src *",
			'cache-control': 'no-store',
		})
		.type('text/html; charset=utf-8')
		.send(document.text);
}
