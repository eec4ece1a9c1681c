import { redacted, Secrets, withoutSecretMembers } from '../../nodes/runtime/errors/secrets';
import { storedSession } from '../../nodes/NewsReader/stored-session';
import { newsReader } from '../../nodes/NewsReader/service';

describe('members', () => {
	const token = 'a1b2c3';
	const privateAddress = `https://a.test/reader/starred_rss/1/${token}`;
	const record = {
		share_ext_token: token,
		secretToken: token,
		starred_counts: [{ tag: 'light', feed_address: 'https://a.test/7' }],
		feeds: { 1: { feed_address: 'https://a.test/rss' }, 2: { feedAddress: privateAddress } },
		// A simplified feed.
		feed: { address: privateAddress },
		photo_url: `https://a.test/${token}.png`,
	};
	const masked = (includeSecrets?: string[]) =>
		withoutSecretMembers(record, (member) => newsReader.isSecretMember!(member, { includeSecrets }));

	it('that give access to the account are masked under the service’s and the node’s names, and nothing else', () => {
		expect(masked()).toEqual({
			share_ext_token: '***',
			secretToken: '***',
			starred_counts: [{ tag: 'light', feed_address: '***' }],
			feeds: { 1: { feed_address: 'https://a.test/rss' }, 2: { feedAddress: '***' } },
			feed: { address: '***' },
			photo_url: `https://a.test/${token}.png`,
		});
	});

	it('that the user includes are shown', () => {
		expect(masked(['share_ext_token'])).toMatchObject({
			share_ext_token: token,
			feeds: { 2: { feedAddress: '***' } },
		});
		expect(masked(['feed_address'])).toMatchObject({
			share_ext_token: '***',
			feeds: { 2: { feedAddress: privateAddress } },
			feed: { address: privateAddress },
		});
	});
});

describe('the secrets of a credential', () => {
	it.each([
		['not a short cookie', 'theme=light; reader_sessionid=abcd', ['abcd']],
		['a long cookie', 'csrf=0123456789abcdef; newsblur_sessionid=s1', ['0123456789abcdef', 's1']],
	])('are those of the session: %s', (_, cookies, secrets) => {
		const credential = { baseUrl: 'https://reader.test' };
		const sessionToken = storedSession(credential, cookies);
		expect(newsReader.secrets({ ...credential, sessionToken })).toEqual(secrets);
	});

	it('include a password that an expression gives as a number', () => {
		expect(newsReader.secrets({ password: 87654321 })).toEqual(['87654321']);
	});
});

it.each([
	['abc', 'the abc'],
	['abcd', 'the ***'],
])('masks a secret from four characters on: %s', (secret, masked) => {
	expect(redacted(`the ${secret}`, [secret])).toBe(masked);
});

it.each([
	[
		'of 15 characters only as a whole word',
		'abcdefghijklmno',
		'***. xabcdefghijklmno abcdefghijklmnox%3D***%26',
	],
	['of 16 characters also within a word', 'abcdefghijklmnop', '***. x*** ***x%3D***%26'],
])('masks a secret %s', (_, secret, masked) => {
	expect(redacted(`${secret}. x${secret} ${secret}x%3D${secret}%26`, [secret])).toBe(masked);
});

describe('secrets', () => {
	it('are replaced everywhere in a text', () => {
		expect(redacted('a key-1, key-1 and key-2', ['key-1', 'key-2', ''])).toBe('a ***, *** and ***');
	});

	it.each([
		[
			'in a form',
			new URLSearchParams({ password: 'two "words"', next: '/' }).toString(),
			'password=***&next=%2F',
		],
		['in a path', `/login/${encodeURIComponent('two "words"')}/`, '/login/***/'],
		['in JSON', JSON.stringify({ password: 'two "words"' }), '{"password":"***"}'],
	])('are replaced in their encoding %s', (_, text, masked) => {
		expect(redacted(text, ['two "words"'])).toBe(masked);
	});

	it('are replaced even if they are too long for a regular expression', () => {
		const secret = 'x'.repeat(1_000_000);
		expect(redacted(`the ${secret}, again`, [secret])).toBe('the ***, again');
	});

	it('are replaced in truncated texts', () => {
		const masked = (length: number): string => new Secrets().masked('x'.repeat(length));
		expect(masked(2000)).toBe('x'.repeat(2000));
		expect(masked(2001)).toBe(`${'x'.repeat(2000)}…`);
	});
});
