import { Secrets } from '../../nodes/runtime/errors/secrets';

const after = (keys: string[], passwords: string[], response: string): Secrets => {
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
])('%s does not come out with a record', (_, keys, passwords, secret) => {
	const secrets = after(keys, passwords, `Your key is ${secret}`);
	expect(secrets.withoutKeys({ text: `key ${secret}`, list: [secret] })).toEqual({
		text: 'key ***',
		list: ['***'],
	});
});

it('leaves a short password of letters in records, for it may be any word, and masks it in messages', () => {
	const secrets = after(['summer'], ['summer'], 'In summer');
	expect(secrets.withoutKeys({ text: 'In summer' })).toEqual({ text: 'In summer' });
	expect(secrets.masked('In summer')).toBe('In ***');
	const fifteen = 'abcdefghijklmno';
	expect(after([fifteen], [fifteen], fifteen).withoutKeys({ text: fifteen })).toEqual({ text: fifteen });
});

it('notices a key as a form or JSON spells it', () => {
	const secrets = after(['a"b/c&d'], [], '{"echo":"a%22b%2Fc%26d"}');
	expect(secrets.withoutKeys({ echo: 'a%22b%2Fc%26d' })).toEqual({ echo: '***' });
});
