import { linkFixtures } from '../../../cases/links.ts';
import type { Fixtures } from '../../../cases/fixture.ts';
import { readerFixtures } from '../../../cases/reader/index.ts';
import type { ServiceUrls } from '../../../playground/content.ts';
import { LinkClient } from '../clients/link-client.ts';
import { ReaderClient } from '../clients/reader-client.ts';

/** The fixtures of both nodes for the services at these addresses. */
export async function fixturesFor({ linksUrl, readerUrl }: ServiceUrls): Promise<Record<string, Fixtures>> {
	const reader = await ReaderClient.logIn(readerUrl, 'reader');
	const friend = await ReaderClient.logIn(readerUrl, 'friend');
	return {
		linkManager: linkFixtures(new LinkClient(linksUrl)),
		newsReader: await readerFixtures(reader, friend),
	};
}
