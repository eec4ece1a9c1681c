/** Reads an account directly from the reader service, to verify the results of the workflow. */
import { CommandError } from '../scripts/command.ts';

/** The members of a story that the demo reads. */
export interface Story {
	story_hash: string;
	story_title: string;
	story_permalink: string;
	/** Only in saved stories. */
	user_tags?: string[];
	/** Only in stories that the account has shared. */
	shared_comments?: string;
}

export class ReaderAccount {
	readonly #url: string;
	readonly #cookie: string;
	readonly #user: string;

	/** @param user id and name as in the URL of the share feed: `1/reader` */
	private constructor(url: string, cookie: string, user: string) {
		this.#url = url;
		this.#cookie = cookie;
		this.#user = user;
	}

	/** @param url of the service, without trailing slash */
	static async logIn(url: string, username: string, password: string): Promise<ReaderAccount> {
		const response = await fetch(`${url}/api/login`, {
			method: 'POST',
			body: new URLSearchParams({ username, password }),
		});
		const [cookie] = response.headers.get('set-cookie')?.split(';', 1) ?? [];
		const { user_id } = (await response.json()) as { user_id?: number };
		if (!cookie || user_id === undefined) throw new CommandError(`The account ${username} could not log in.`);
		return new ReaderAccount(url, cookie, `${user_id}/${username}`);
	}

	async unreadHashes(): Promise<Set<string>> {
		const { unread_feed_story_hashes: byFeed } = await this.#json<{
			unread_feed_story_hashes: Record<string, string[]>;
		}>('/reader/unread_story_hashes');
		return new Set(Object.values(byFeed).flat());
	}

	/** All read stories, by hash. */
	async read(): Promise<Map<string, Story>> {
		return await this.#stories('/reader/read_stories');
	}

	/** All saved stories, by hash. */
	async saved(): Promise<Map<string, Story>> {
		return await this.#stories('/reader/starred_stories');
	}

	/** All stories of the account's share feed, by hash. */
	async shared(): Promise<Map<string, Story>> {
		return await this.#stories(`/social/stories/${this.#user}`);
	}

	/** The text of the public share page, in which URLs in comments may be links. */
	async sharePage(): Promise<string> {
		const response = await fetch(`${this.#url}/social/page/${this.#user}`);
		if (response.ok) return (await response.text()).replace(/<[^>]*>/g, '');
		throw new CommandError(`The share page of ${this.#user} answers ${response.status}.`);
	}

	async #stories(path: string): Promise<Map<string, Story>> {
		const found = new Map<string, Story>();
		for (let page = 1; ; page++) {
			const { stories } = await this.#json<{ stories: Story[] }>(`${path}?page=${page}`);
			if (stories.length === 0) return found;
			for (const story of stories) found.set(story.story_hash, story);
		}
	}

	async #json<Body>(path: string): Promise<Body> {
		const response = await fetch(this.#url + path, { headers: { cookie: this.#cookie } });
		if (response.ok) return (await response.json()) as Body;
		throw new CommandError(`The news reader service answers ${path} with ${response.status}.`);
	}
}
