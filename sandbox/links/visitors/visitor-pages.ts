import { html, type Html } from '../../shared/html.ts';
import { framing, notice } from '../../shared/page-layout.ts';
import type { LinkContext } from '../context.ts';
import { settingsOf, type OverlayRow, type UrlRow } from '../tables.ts';

export const notFoundPage = notice(
	'Nothing here',
	html`<p>This address leads nowhere. It may have been deleted, or never have existed.</p>`,
);

export const expiredPage = notice(
	'This link has expired',
	html`<p>It was made to last until a day that is past.</p>`,
);

export function passwordPage(wrong: boolean): Html {
	return notice(
		'Password needed',
		html`${wrong && html`<p role="alert">That is not the password. Try again.</p>`}
			<form method="post">
				<label>Password <input type="password" name="password" required autofocus /></label
				><button>Continue</button>
			</form>`,
	);
}

/** The preview of the link in social networks. */
export function previewPage(context: LinkContext, url: UrlRow, target: string): Html {
	return notice(
		url.title || 'Short link',
		html`<p><a href="${target}">${target}</a></p>`,
		headOf(context, url),
	);
}

export function framePage(context: LinkContext, url: UrlRow, target: string): Html {
	return framing(url.title || target, target, undefined, headOf(context, url));
}

export function overlayPage(context: LinkContext, url: UrlRow, target: string, overlay: OverlayRow): Html {
	const box = html`<aside>
		<strong>${overlay.name}</strong>
		<p>${overlay.message}</p>
		<a class="button" href="${overlay.link}">${overlay.label}</a>
	</aside>`;
	return framing(url.title || target, target, box, headOf(context, url));
}

/** A page that is shown for a few seconds before the target. */
export function splashPage(
	context: LinkContext,
	url: UrlRow,
	target: string,
	{ title, message }: { title: string; message: string },
): Html {
	const goOn = html`<meta http-equiv="refresh" content="5; url=${target}" />`;
	const body = html`<p>${message}</p>
		<p><a class="button" href="${target}">Continue</a></p>
		<p class="quiet">${target}</p>`;
	return notice(title, body, html`${headOf(context, url)}${goOn}`);
}

/** The link's preview texts and the names of its pixels. The sandbox sends no requests to tracking services. */
function headOf({ store }: LinkContext, url: UrlRow): Html {
	const { metatitle, metadescription, metaimage, pixels = [] } = settingsOf(url);
	const properties = { 'og:title': metatitle, 'og:description': metadescription, 'og:image': metaimage };
	return html`${Object.entries(properties).map(
		([property, content]) => content && html`<meta property="${property}" content="${content}" />`,
	)}${pixels
		.map((id) => store.find('pixels', { id }))
		.map((pixel) => pixel && html`<meta name="pixel" content="${pixel.type} ${pixel.tag}" />`)}`;
}
