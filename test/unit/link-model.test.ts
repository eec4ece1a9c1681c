import { table } from '../../nodes/LinkManager/resources/index';
import { writtenLink } from '../../nodes/LinkManager/resources/short-link-record';
import { responseWith } from '../support/responses';
import type { ApiRequest } from '../../nodes/runtime/api-types';
import { linkManager } from '../../nodes/LinkManager/service';

describe('the model of the link service', () => {
	describe('the output of a write', () => {
		const select = (json: object) => writtenLink.select(responseWith({ error: 0, ...json }), {});

		it.each([
			[{ shorturl: 'https://a.example/x' }, { domain: 'https://a.example', alias: 'x' }],
			[{ short: 'https://a.example/x/' }, { domain: 'https://a.example', alias: 'x' }],
			[{ shorturl: 'https://a.example/%C3%BCber' }, { domain: 'https://a.example', alias: 'über' }],
			[{ shorturl: 'https://a.example/50%' }, { domain: 'https://a.example', alias: '50%' }],
			[
				{ shorturl: 'https://a.example/x', alias: 'y' },
				{ domain: 'https://a.example', alias: 'y' },
			],
		])('has the domain and alias of the short URL: %j', (json, expected) => {
			expect(select(json)).toEqual({ ...json, ...expected });
		});

		it('has them from the short URL, too, if they are blank', () => {
			const json = { shorturl: 'https://a.example/x', alias: null, domain: '' };
			expect(select(json)).toEqual({ ...json, domain: 'https://a.example', alias: 'x' });
		});

		it.each([
			[{ shorturl: 'x' }, { shorturl: 'x' }],
			[{ shorturl: '' }, {}],
			[{ id: 7 }, { id: 7 }],
		])('has no domain and alias without a short URL: %j', (json, expected) => {
			expect(select(json)).toEqual(expected);
		});
	});

	it('looks up a short URL with its alias as it is', () => {
		const { findByUrl } = table.shortLink.listing!;
		const spelled = ['HTTPS://A.example:443/über/', 'a.example/%C3%BCber', 'https://'];
		expect(spelled.map((url) => findByUrl!(url).query?.short)).toEqual([
			'https://a.example/über',
			'https://a.example/%C3%BCber',
			'https:',
		]);
	});

	describe('If Exists', () => {
		const keys = (url: string) => {
			const { keysOf, lookUps } = table.shortLink.operations.create.existing!;
			return [keysOf({ longUrl: url })[0], lookUps({ url })[0]!.key];
		};

		it.each([
			['https://ex.org?a=1', 'https://EX.org:443/?a=1'],
			['http://ex.org:80/a', 'HTTP://ex.org/a'],
			['https://münchen.example/café', 'https://xn--mnchen-3ya.example/caf%c3%a9'],
			['https://ex.org/%7Ea%2fb', 'https://ex.org/~a%2Fb'],
			['b.example', ' b.example '],
		])('takes the target %s for %s', (one, other) => {
			expect(new Set([...keys(one), ...keys(other)]).size).toBe(1);
		});

		it.each([
			['https://ex.org/a', 'http://ex.org/a'],
			['https://ex.org/a', 'https://ex.org/a/'],
			['https://ex.org/a', 'https://ex.org/A'],
		])('does not take the target %s for %s', (one, other) => {
			expect(keys(one)).not.toEqual(keys(other));
		});

		it.each([
			['https://ex.org/spring/offer?x=1', 'spring/offer?x=1'],
			['https://ex.org?a=1', '?a=1'],
			['https://EX.org:443/caf%c3%a9s/menu', 's/menu'],
			['https://ex.org/a', 'ex.org'],
			[`https://ex.org/${'long/'.repeat(2000)}`, 'long/'.repeat(100)],
			['https://ex.org/shop/./menu', 'ex.org'],
			['https://ex.org/%41bc/menu/../card/7', 'ex.org'],
			['https://ex.org/shop\\menu?x=%20about', 'about'],
			['https://münchen.example', undefined],
			['https://10.1/a', undefined],
			['https://exam\u00adple.org/a', undefined],
			['b.example', 'b.example'],
		])('finds the target %s by the text %s', (url, q) => {
			const [lookUp] = table.shortLink.operations.create.existing!.lookUps({ url });
			expect(lookUp!.search).toEqual(q === undefined ? undefined : { q });
		});
	});
});

describe('messages of the link service', () => {
	const labels: Record<string, string> = { custom: 'Alias', url: 'URL' };
	const request: ApiRequest = { method: 'POST', path: '/api/url/add', action: 'Create a short link', labels };

	const refused = 'The link management service refused to create a short link';

	it.each([
		['The **custom** must be unique', 'Alias'],
		['The custom field is taken, the url field too', 'Alias and URL'],
		['The field url must be a URL', 'URL'],
		['The **custom** is bad: the custom field must be longer', 'Alias'],
	])('names the labels of the parameters that %j is about', (message, named) => {
		expect(linkManager.errorIn(responseWith({ error: 1, message }), request)).toMatchObject({
			message: `${refused} because of ${named}. It says: “${message}”`,
			description: `Check ${named}.`,
		});
	});

	it('names the labels of the parameters by which a message has its texts', () => {
		const message = { custom: ['Is taken.'] };
		expect(linkManager.errorIn(responseWith({ error: 1, message }), request)).toMatchObject({
			message: `${refused} because of Alias. It says: “Is taken.”`,
		});
	});

	it('names the credential if the words name the key, whatever the status', () => {
		for (const status of [200, 400]) {
			const response = { ...responseWith({ error: 1, message: 'The API key is not valid.' }), status };
			expect(linkManager.errorIn(response, request)).toMatchObject({
				description: 'Check the API key of the credential, and that its account may do this.',
				class: 'loginRefused',
			});
		}
	});

	it('names the parameters if the words repeat a name that is about keys', () => {
		const message = 'A campaign “API Key tips” exists.';
		const named = { ...request, body: { name: 'API key tips' } };
		expect(linkManager.errorIn(responseWith({ error: 1, message }), named)).toMatchObject({
			description: 'Check Alias and URL.',
			class: 'refused',
		});
	});

	it.each([401, 403])('names the credential if the key is refused with status %i', (status) => {
		for (const error of [1, undefined]) {
			const response = { ...responseWith({ error, message: 'Unauthenticated.' }), status };
			expect(linkManager.errorIn(response, request)).toMatchObject({
				message: `${refused}. It says: “Unauthenticated.”`,
				description: 'Check the API key of the credential, and that its account may do this.',
				class: 'loginRefused',
			});
		}
	});

	it.each(['No access', { text: 'No access' }])(
		'takes an error that is no number for the reason: %j',
		(error) => {
			const kinds = [
				request,
				{ ...request, method: 'GET' as const },
				{ ...request, accepts: 'anything' as const },
			];
			for (const kind of kinds) {
				expect(linkManager.errorIn(responseWith({ error }), kind)).toMatchObject({
					message: `${refused}. It says: “No access”`,
				});
			}
		},
	);

	it('names all parameters that were sent if the message names none', () => {
		const message = 'Dieser Alias ist bereits vergeben';
		expect(linkManager.errorIn(responseWith({ error: 1, message }), request)).toMatchObject({
			message: `${refused}. It says: “${message}”`,
			description: 'Check Alias and URL.',
		});
	});

	it('says that the service failed with a status of 500', () => {
		const response = { ...responseWith({ error: 1, message: 'Database gone' }), status: 500 };
		expect(linkManager.errorIn(response, request)).toMatchObject({
			message: 'The link management service failed to create a short link. It says: “Database gone”',
			description: '',
		});
	});

	it.each([
		[500, 'Check Alias and URL.'],
		[502, 'It, or a proxy before it, fails at the moment: try again later.'],
	])('says what to do after a page with status %i', (status, description) => {
		const response = { ...responseWith('<html>Oops</html>'), status };
		expect(linkManager.errorIn(response, request)).toMatchObject({
			message: 'The link management service failed to create a short link. It gave no reason',
			description,
			unclear: true,
		});
	});

	it('says that there is no such service if the path is unknown', () => {
		for (const error of ['Not Found', undefined]) {
			const unknown = { ...responseWith({ error, message: 'Route GET:/x not found' }), status: 404 };
			expect(linkManager.errorIn(unknown, request)).toMatchObject({
				message:
					'There is no link management service at the Base URL of the credential. The server says: “Route GET:/x not found”',
				unclear: true,
			});
			// An API Request may have a wrong path.
			expect(linkManager.errorIn(unknown, { ...request, isCustom: true })).toMatchObject({
				message:
					'The link management service does not say whether the request succeeded. It says: “Route GET:/x not found”',
			});
		}
	});

	it('takes a read without an error number for a success up to status 299', () => {
		const read: ApiRequest = { method: 'GET', path: '/api/urls' };
		const messageAt = (status: number): string | undefined =>
			linkManager.errorIn({ ...responseWith({ data: [] }), status }, read)?.message;
		expect(messageAt(299)).toBeUndefined();
		expect(messageAt(300)).toMatch(/responded with an empty body$/);
	});

	it('takes a response of any kind for a success up to status 299', () => {
		const download: ApiRequest = { method: 'GET', path: '/qr/code', accepts: 'anything' };
		const failureAt = (status: number) => linkManager.errorIn({ ...responseWith({}), status }, download);
		expect(failureAt(299)).toBeUndefined();
		expect(failureAt(300)).toBeDefined();
	});

	it('reports a failure if the service returns a refusal in place of a file', () => {
		const download: ApiRequest = { method: 'GET', path: '/api/export', accepts: 'anything', isCustom: true };
		expect(linkManager.errorIn(responseWith({ error: 1, message: 'No exports' }), download)).toMatchObject({
			message: 'The link management service refused the request. It says: “No exports”',
		});
	});

	it('reports that the result of a write is unclear only if the response has no error number', () => {
		const failureOf = (json: object) => linkManager.errorIn(responseWith(json), request);
		expect(failureOf({ message: 'No' })).toMatchObject({ unclear: true });
		expect(failureOf({ error: 1, message: 'No' })).not.toHaveProperty('unclear');
	});
});
