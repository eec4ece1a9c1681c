/** The news reader service of the sandbox, as a client that is not the node talks to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

/** An account of the news reader service, logged in. */
export class ReaderAccount {
	readonly baseUrl: string;
	/** Name and value. */
	readonly cookie: string;

	private constructor(baseUrl: string, cookie: string) {
		this.baseUrl = baseUrl;
		this.cookie = cookie;
	}

	static async logIn(baseUrl: string, username: string): Promise<ReaderAccount> {
		const response = await fetch(`${baseUrl}/api/login`, {
			method: 'POST',
			body: new URLSearchParams({ username, password: 'sandbox-password' }),
		});
		const [cookie] = response.headers.getSetCookie();
		if (!cookie) throw new Error(`${username} cannot log in: ${await response.text()}`);
		return new ReaderAccount(baseUrl, cookie.split(';')[0]!);
	}

	async get<T = IDataObject>(path: string): Promise<T> {
		return await this.ask<T>(path);
	}

	async post<T = IDataObject>(path: string, form: Record<string, string | number>): Promise<T> {
		const body = new URLSearchParams(
			Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]),
		);
		return await this.ask<T>(path, body);
	}

	/** Control calls of the sandbox, which take JSON. */
	async control(path: string, body: object = {}): Promise<IDataObject> {
		const response = await fetch(`${this.baseUrl}/sandbox${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return (await response.json()) as IDataObject;
	}

	/** Publishes stories in a feed of the sandbox, and has the service fetch them. */
	async publish(feed: string, titles: string[]): Promise<void> {
		for (const title of titles) {
			const response = await fetch(new URL(`/sandbox/feeds/${feed}/publish`, this.baseUrl), {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ title }),
			});
			if (!response.ok) throw new Error(`${title}: ${response.status} ${await response.text()}`);
		}
		await this.control('/fetch');
	}

	/** Hashes of the unread stories, by feed; waits until the service has fetched the feeds. */
	async unread(): Promise<Map<number, string[]>> {
		for (let tries = 0; tries < 100; tries++) {
			const { unread_feed_story_hashes: unread } = await this.get<{
				unread_feed_story_hashes: Record<string, string[]>;
			}>('/reader/unread_story_hashes');
			const feeds = Object.entries(unread).filter(([, hashes]) => hashes.length > 0);
			if (feeds.length >= 6) return new Map(feeds.map(([id, hashes]) => [Number(id), hashes]));
			await sleep(100);
		}
		throw new Error('The sandbox has fetched no feeds');
	}

	private async ask<T>(path: string, body?: URLSearchParams): Promise<T> {
		const response = await fetch(this.baseUrl + path, {
			method: body ? 'POST' : 'GET',
			headers: { cookie: this.cookie },
			body,
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
		const answer = JSON.parse(text) as T & { code?: number };
		if (Number(answer.code) < 0) throw new Error(`${path}: ${text}`);
		return answer;
	}
}
