import type { Difference } from '../../shared/service.ts';

/** Accounts, sessions and failures. */
export const accountDifferences = [
	// Accounts and sessions
	{
		name: 'anonymous-demo',
		group: 'anonymous',
		description:
			'without a session reads answer 200 with the demo account and `authenticated: false`, writes 403 with an empty body',
	},
	{
		name: 'anonymous-403',
		group: 'anonymous',
		description: 'without a session everything answers 403 with an empty body',
	},
	{
		name: 'loose-passwords',
		description: 'a blank password at sign-up is the user name, and who has that one logs in with any',
	},
	{ name: 'long-logins', description: 'names and e-mails of more than 30 characters cannot log in' },
	{
		name: 'one-session',
		description: 'a login or sign-up keeps the session sent along if it is the account’s own, else ends it',
	},
	{ name: 'cookie-name', description: 'the session cookie has another name (settable)' },
	{ name: 'long-tokens', description: 'access tokens last ten years, not one hour' },
	{ name: 'any-scope', description: 'an access token may write whatever its scope is' },
	{ name: 'html-401', description: 'the 401 of /oauth/user/info is labeled text/html' },
	{
		name: 'automation',
		description: 'there are calls of the automation channel: /oauth/triggers, /oauth/actions, /oauth/status',
	},
	{
		name: 'user-info',
		elsewhere: true,
		description:
			"/oauth/user/info returns name and id only, as in July 2024: today's clients of the service need more",
	},

	// Failures
	{ name: 'refusals-200', description: 'a refused call answers 200 with `code: -1`' },
	{
		name: 'html-errors',
		description: 'unknown things answer 404, missing mandatory fields 500, as HTML pages',
	},
	{
		name: 'lost-writes',
		description:
			'of changes at the same time to follows, mutes, replies, likes or folders of one account or comment one stays',
	},
	{ name: 'bad-fields', description: 'a missing field, or text where a number is read, is a 500' },
	{ name: 'unknown-users', description: 'a numeric user id that nobody has is a 500 on most calls' },
	{
		name: 'unknown-feeds',
		description:
			'of feeds nobody has: a trainer and renaming 404, classifiers empty; classifiers of share feeds not followed 500',
	},
	{
		name: 'unknown-shares',
		description:
			'unsharing or undoing something that does not exist is a 500; so is sharing from an unknown user, and the share is kept',
	},
	{
		name: 'reader-home',
		description: 'every unknown address below /reader shows the web client (200, HTML)',
	},
	{ name: 'checked-methods', description: 'calls that check parameters check the method first' },
	{ name: 'any-method', description: 'most writes answer GET too, with no parameters' },
	{
		name: 'brackets-ignored',
		description: 'saving classifiers, and calls that check parameters, read `like_tag`, not `like_tag[]`',
	},
	{
		name: 'searches-open',
		description: 'saved searches without a session are a 500; blank ones are kept; their feed leads nowhere',
	},
] as const satisfies readonly Difference[];
