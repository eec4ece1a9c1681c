import { hashPassword } from '../shared/secrets.ts';
import type { LinkContext } from './context.ts';
import type { AccountRow } from './tables.ts';

/** The accounts of a new sandbox; the third has an expired key. */
const accounts = [
	{
		api_key: 'sandbox-api-key',
		username: 'sandbox',
		email: 'sandbox@example.com',
		expires: '2099-12-31 23:59:59',
	},
	{
		api_key: 'sandbox-second-key',
		username: 'second',
		email: 'second@example.com',
		expires: '2099-12-31 23:59:59',
	},
	{
		api_key: 'sandbox-expired-key',
		username: 'expired',
		email: 'expired@example.com',
		expires: '2001-01-01 00:00:00',
	},
];

const overlays = [
	{ type: 'message', name: 'Read our newsletter', message: 'One mail a week, no more.', label: 'Subscribe' },
	{ type: 'contact', name: 'Ask us', message: 'Questions about this article?', label: 'Write to us' },
	{
		type: 'message',
		name: 'Autumn campaign',
		message: 'Everything that is new this autumn.',
		label: 'Have a look',
	},
];

const splashPages = [
	{ name: 'Welcome', title: 'One moment', message: 'You are on your way to an article we chose for you.' },
	{ name: 'Partner', title: 'Thank you for coming by', message: 'Our partner’s page opens in a moment.' },
];

const bioPages = [
	{ name: 'Editors', text: 'What our editors read this week.' },
	{ name: 'Events', text: 'Where to meet us.' },
];

/** Creates the accounts and the records that the API cannot create (overlays, splash pages, bio pages), unless they exist. */
export function seed(context: LinkContext): void {
	const { store } = context;
	const missing = accounts.filter(({ api_key }) => store.find('accounts', { api_key }) === undefined);
	if (missing.length === 0) return;
	const password_hash = hashPassword('sandbox-password');
	store.transaction(() => {
		for (const account of missing) {
			const registered = context.now();
			const id = store.insert('accounts', { ...account, password_hash, status: 'pro', registered });
			seedPresets(id, account.username);
		}
	});

	function seedPresets(account_id: AccountRow['id'], username: string): void {
		const date = context.now();
		for (const overlay of overlays) store.insert('overlays', { account_id, ...overlay, link: '/', date });
		for (const splash of splashPages) store.insert('splash', { account_id, ...splash, date });
		for (const bio of bioPages) {
			const slug = `${username}-${bio.name.toLowerCase()}`;
			store.insert('bios', { account_id, ...bio, slug, date });
		}
	}
}
