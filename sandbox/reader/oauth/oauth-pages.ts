import { html, type Html, notice } from '../../shared/html.ts';
import { sandboxPassword } from '../seed/seed-accounts.ts';

/** Hidden fields with the parameters of the authorization request. */
function carried(request: readonly [string, string][]): Html {
	return html`${request.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** The login form before the consent. */
export function loginPage(request: readonly [string, string][], action: string, problem?: string): Html {
	return notice(
		'Log in to the news reader',
		html`
			<p class="quiet">
				In this sandbox: user name <code>reader</code> or <code>friend</code>, password
				<code>${sandboxPassword}</code>.
			</p>
			${problem && html`<p role="alert">${problem}</p>`}
			<form method="post" action="${action}">
				${carried(request)}
				<label for="username">User name</label>
				<input id="username" name="username" autocomplete="username" required autofocus />
				<label for="password">Password</label>
				<input id="password" name="password" type="password" autocomplete="current-password" />
				<button name="step" value="login">Log in</button>
			</form>
		`,
	);
}

/** The consent form. */
export function consentPage(
	request: readonly [string, string][],
	action: string,
	given: { username: string; application: string; redirectUri: string; scopes: string[] },
): Html {
	return notice(
		'Allow access to your account?',
		html`
			<p>
				<strong>${given.application}</strong> asks to use the news reader account
				<strong>${given.username}</strong>.
			</p>
			<p>It asks for: ${given.scopes.join(', ')}.</p>
			<p>Your answer is sent to <code>${given.redirectUri}</code>.</p>
			<form method="post" action="${action}">
				${carried(request)}
				<button name="allowed" value="true">Allow</button>
				<button name="allowed" value="false" class="secondary">Deny</button>
			</form>
		`,
	);
}

export function oauthErrorPage(message: string): Html {
	return notice(
		'This request cannot be answered',
		html`
			<p role="alert">${message}</p>
			<p>Go back to the application that sent you here and check how it is set up.</p>
		`,
	);
}
