import { redacted, Secrets } from '../../nodes/runtime/errors/secrets';

const secretsAfter = (keys: string[], passwords: string[], response: string): Secrets => {
	const secrets = new Secrets();
	secrets.addCredential(keys, passwords);
	secrets.checkEcho(response);
	return secrets;
};

it.each([
	['an API key of letters', ['abcdefgh'], [], 'abcdefgh'],
	['a long password of letters', ['correcthorsebattery'], ['correcthorsebattery'], 'correcthorsebattery'],
	['a password of sixteen letters', ['abcdefghijklmnop'], ['abcdefghijklmnop'], 'abcdefghijklmnop'],
	['a short password with a digit', ['summer26'], ['summer26'], 'summer26'],
])('%s is masked in records', (_, keys, passwords, secret) => {
	const secrets = secretsAfter(keys, passwords, `Your key is ${secret}`);
	expect(secrets.withoutKeys({ text: `key ${secret}`, list: [secret] })).toEqual({
		text: 'key ***',
		list: ['***'],
	});
});

it('masks a short password of letters in messages, but not in records, where it may be a word', () => {
	const secrets = secretsAfter(['summer'], ['summer'], 'In summer');
	expect(secrets.withoutKeys({ text: 'In summer' })).toEqual({ text: 'In summer' });
	expect(secrets.masked('In summer')).toBe('In ***');
	const password = 'abcdefghijklmno';
	expect(secretsAfter([password], [password], password).withoutKeys({ text: password })).toEqual({
		text: password,
	});
});

it('masks a key in form and JSON encoding', () => {
	const secrets = secretsAfter(['a"b/c&d'], [], '{"echo":"a%22b%2Fc%26d"}');
	expect(secrets.withoutKeys({ echo: 'a%22b%2Fc%26d' })).toEqual({ echo: '***' });
});

it.each([
	['abc', 'the abc'],
	['abcd', 'the ***'],
])('masks a secret from four characters on: %s', (secret, masked) => {
	expect(redacted(`the ${secret}`, [secret])).toBe(masked);
});

it.each([
	['of 15 characters only as a whole word', 'abcdefghijklmno', '*** xabcdefghijklmnox'],
	['of 16 characters also within a word', 'abcdefghijklmnop', '*** x***x'],
])('masks a secret %s', (_, secret, masked) => {
	expect(redacted(`${secret} x${secret}x`, [secret])).toBe(masked);
});
