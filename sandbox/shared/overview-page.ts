import { html, type Html } from './html.ts';
import type { RunningService } from './service.ts';
import { page } from './page-layout.ts';

/** The page at `/`: the records of the services' accounts. */
export function overviewPage(services: readonly RunningService[]): Html {
	return page(
		'Sandbox',
		html`<h1>Sandbox</h1>
			<p class="quiet">Both services run on this machine and keep what you change. Newest first.</p>

			${services.map((service) => service.overview())}`,
	);
}
