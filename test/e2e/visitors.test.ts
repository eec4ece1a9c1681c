/** Tests the visitor pages of the sandbox's short links in a browser: they lead to the target, and escape titles. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './support/browser.ts';
import { withLinks, type LinkClient } from '../support/clients/link-client.ts';
import { FakeHost } from '../support/hosts/fake-host.ts';

const hostile = `"><script>document.title = 'taken over'</script><img src=x onerror="document.title = 'taken over'">'`;

describe('visitor pages', () => {
	let browser: Browser;
	let site: FakeHost;
	let target: string;
	before(async () => {
		browser = await openBrowser();
		site = await FakeHost.start(({ path }) => ({
			headers: { 'content-type': 'text/html' },
			body: `<title>Target</title><h1>${path === '/mobile' ? 'For phones' : 'The article'}</h1>`,
		}));
		target = `${site.baseUrl}/`;
	});
	after(async () => {
		await browser?.close();
		await site?.stop();
	});

	/** Opens a new link with these settings, and checks that its title is escaped. */
	const openLink = async (
		settings: object,
		check: (page: Page, api: LinkClient) => Promise<void>,
		userAgent?: string,
	): Promise<void> =>
		await withLinks({}, async (api) => {
			const texts = { metatitle: hostile, metadescription: hostile, description: hostile };
			const { id, shorturl } = await api.add('/url/add', { url: target, ...texts, ...settings });
			const page = await browser.newPage({ userAgent });
			await page.goto(String(shorturl));
			assert.notEqual(await page.title(), 'taken over');
			await check(page, api);
			assert.equal((await api.get(`/url/${id}`)).data['clicks'], 1);
			await page.close();
		});
	const waitForTarget = async (page: Page, words = 'The article'): Promise<void> =>
		await page.getByRole('heading', { name: words }).waitFor();

	it('redirects to the target', () => openLink({}, async (page) => await waitForTarget(page)));

	it('redirects phones to another target', () =>
		openLink(
			{ devicetarget: [{ device: 'iphone', link: `${target}mobile` }] },
			async (page) => await waitForTarget(page, 'For phones'),
			'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
		));

	it('requests a password until it is correct', () =>
		openLink({ password: 'open sesame' }, async (page) => {
			await page.getByLabel('Password').fill('wrong');
			await page.getByRole('button', { name: 'Continue' }).click();
			await page.getByRole('alert').waitFor();
			await page.getByLabel('Password').fill('open sesame');
			await page.getByRole('button', { name: 'Continue' }).click();
			await waitForTarget(page);
		}));

	it('shows a splash page before the target', () =>
		openLink({ type: 'splash' }, async (page) => {
			await page.getByRole('link', { name: 'Continue' }).click();
			await waitForTarget(page);
		}));

	it('shows the target in a frame, under an overlay', () =>
		openLink({ type: 'overlay-1' }, async (page) => {
			await page.frameLocator('iframe').getByRole('heading', { name: 'The article' }).waitFor();
			await page.locator('aside a').waitFor();
		}));

	it('lists the links of a campaign', () =>
		openLink({}, async (page, api) => {
			const campaign = await api.add('/campaign/add', { name: hostile, public: true });
			await api.add('/url/add', { url: target, metatitle: hostile, campaign: campaign.id });
			await page.goto(String(campaign['list']));
			await page.getByRole('heading', { name: hostile }).waitFor();
			assert.notEqual(await page.title(), 'taken over');
			await page.getByRole('link', { name: hostile }).click();
			await waitForTarget(page);
		}));
});
