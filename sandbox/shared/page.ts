import { html, type Html } from './html.ts';

/** A whole page in the sandbox's look; `head` is for what only one page has. */
export function page(title: string, body: Html, head?: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				${head}
			</head>
			<body>
				${body}
			</body>
		</html>`;
}
