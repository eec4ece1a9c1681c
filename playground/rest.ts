/** A client of the REST API that n8n's editor uses. */
import { CommandError } from '../scripts/command.ts';

export interface CredentialRecord {
	id: string;
	name: string;
	type: string;
	data?: Record<string, unknown>;
}

export interface WorkflowRecord {
	id: string;
	name: string;
	active: boolean;
	versionId: string;
}

export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

/** Each request has its own connection: n8n may end an idle one while the next request is sent on it. */
export const separateConnection = { connection: 'close' };

/** A logged-in client of n8n. */
export class N8nClient {
	readonly url: string;
	private cookie = '';

	constructor(url: string) {
		this.url = url;
	}

	/** Creates the owner if necessary, and logs in. @throws CommandError if the password is wrong */
	async logIn({ email, firstName, lastName, password }: Owner): Promise<void> {
		const settings = await this.get<{ userManagement: { showSetupOnFirstLoad?: boolean } }>('/rest/settings');
		if (settings.userManagement.showSetupOnFirstLoad) {
			await this.post('/rest/owner/setup', { email, firstName, lastName, password });
			return;
		}
		try {
			await this.post('/rest/login', { emailOrLdapLoginId: email, password });
		} catch (error) {
			if (!(error instanceof N8nError)) throw error;
			throw new CommandError(
				`n8n does not accept the playground's login: ${error.message} If you changed it, import by hand, or start over with --reset.`,
			);
		}
	}

	async credentials(): Promise<CredentialRecord[]> {
		return await this.get('/rest/credentials');
	}

	async workflows(): Promise<WorkflowRecord[]> {
		return await this.get('/rest/workflows');
	}

	async get<T>(path: string): Promise<T> {
		return await this.request<T>('GET', path);
	}

	async post<T>(path: string, body: object): Promise<T> {
		return await this.request<T>('POST', path, body);
	}

	async patch<T>(path: string, body: object): Promise<T> {
		return await this.request<T>('PATCH', path, body);
	}

	/** Requests a URL of n8n with the session cookie, like the browser. */
	async visit(path: string): Promise<Response> {
		return await fetch(path, { headers: { cookie: this.cookie }, redirect: 'manual' });
	}

	private async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(this.url + path, {
			method,
			headers: { ...separateConnection, 'content-type': 'application/json', cookie: this.cookie },
			body: body && JSON.stringify(body),
		});
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) this.cookie = cookies.join('; ');
		const text = await response.text();
		if (!response.ok) throw new N8nError(response.status, messageIn(text));
		return (JSON.parse(text) as { data: T }).data;
	}
}

/** An error response of n8n. */
export class N8nError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

function messageIn(text: string): string {
	try {
		const { message } = JSON.parse(text) as { message?: string };
		return message ?? text;
	} catch (error) {
		if (error instanceof SyntaxError) return text.slice(0, 300);
		throw error;
	}
}
