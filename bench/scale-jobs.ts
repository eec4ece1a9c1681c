/**
 * The measurements of `npm run bench:scale`. Run directly, this file runs the measurement that its argument names. The built
 * package polls simulated services with a virtual clock.
 */
import { runProcesses, type Limit } from '../test/support/hosts/shared-limit.ts';
import { makeVirtual } from '../test/support/clock.ts';
import { report } from './apart.ts';
import type { Account, Crowd, Processes } from './pages.ts';
import { linksOf, readerOf, runtime, triggerOf, type Service, type Trigger } from './scale-services.ts';

const MINUTE = 60_000;

const { clock } = runtime;

/** Polls a trigger once a minute, and adds up the cost. */
class PolledTrigger {
	polls = 0;
	requests = 0;
	emitted = 0;
	/** The longest poll, in milliseconds. */
	ms = 0;
	readonly #service: Service;
	readonly #trigger: Trigger;

	constructor(service: Service, event: string, name?: string) {
		this.#service = service;
		this.#trigger = triggerOf(service, event, name);
	}

	/** @returns the number of requests; after a refused poll, the next one does the work */
	async poll(): Promise<number> {
		const before = this.#service.requests();
		const startedAt = performance.now();
		const items = await this.#trigger.poll().catch(() => []);
		this.ms = Math.max(this.ms, performance.now() - startedAt);
		this.emitted += items.length;
		const requests = this.#service.requests() - before;
		this.polls += 1;
		this.requests += requests;
		return requests;
	}

	/** Polls until the whole list has been read once. */
	async round(): Promise<{ minutes: number; requests: number }> {
		const { polls, requests } = this;
		for (let before = 0; this.#page > before || this.polls === polls;) {
			before = this.polls === polls ? 0 : this.#page;
			await this.poll();
			await clock.sleep(MINUTE);
			if (this.#page === 1) break;
		}
		return { minutes: this.polls - polls, requests: this.requests - requests };
	}

	/** Bytes of the state that n8n saves. */
	get state(): number {
		return JSON.stringify(this.#trigger.saved()).length;
	}

	/** The page of the list at which the next poll continues. */
	get #page(): number {
		const { state } = this.#trigger.saved() as { state?: { cursor?: { page?: number } } };
		return state?.cursor?.page ?? 1;
	}
}

/** The number of new records, spread over the account. */
const NEWS = 10;

/** Additional polls after a round, for records that were added at its end. */
const POLLS_AFTER = 3;

/** Polls an account for one round, adds new records, and polls it for another round. */
async function measure(service: Service, event: string, makeNews: () => void): Promise<Account> {
	const trigger = new PolledTrigger(service, event);
	const memoryBefore = process.memoryUsage().rss;
	const first = await trigger.round();
	makeNews();
	const { minutes, requests } = await trigger.round();
	let delay = minutes;
	for (; trigger.emitted < NEWS && delay < minutes + POLLS_AFTER; delay += 1) {
		await trigger.poll();
		await clock.sleep(MINUTE);
	}
	const memory = Math.max(process.resourceUsage().maxRSS * 1024 - memoryBefore, 0);
	const { emitted, ms, state } = trigger;
	return { first, requests, minutes, delay, emitted, news: NEWS, ms, memory, state };
}

async function measureLinks(kind: 'urls' | 'qrs', event: string, count: number): Promise<Account> {
	const service = linksOf(kind, clock);
	service.add(count);
	return await measure(service, event, () => {
		if (event === 'newShortLink') service.add(NEWS);
		else for (let n = 1; n <= NEWS; n += 1) service.count(Math.floor((n * count) / (NEWS + 1)));
	});
}

async function measureStories(feeds: number, storiesOfFeed: number): Promise<Account> {
	const service = readerOf(feeds, storiesOfFeed);
	return await measure(service, 'newUnreadStory', () => {
		for (let feed = 1; feed <= NEWS; feed += 1) service.add(feed * Math.floor(feeds / NEWS), 1);
	});
}

/** The duration of the measurement, in minutes. */
const CROWD_MINUTES = 20;

/** Workflows of one process that poll one account, in n8n's order, each once in `every` minutes. */
async function measureCrowd(service: Service, event: string, count: number, every: number): Promise<Crowd> {
	const triggers = Array.from({ length: count }, (_, n) => new PolledTrigger(service, event, `Trigger ${n}`));
	const polledAt = new Map<PolledTrigger, number>();
	let longest = 0;
	let requests = 0;
	for (let minute = 0; minute < CROWD_MINUTES; minute += 1) {
		for (const trigger of triggers.filter((_, n) => n % every === minute % every)) {
			const requestCount = await trigger.poll();
			requests += requestCount;
			if (requestCount > 0) polledAt.set(trigger, minute);
		}
		for (const trigger of triggers) longest = Math.max(longest, minute - (polledAt.get(trigger) ?? -1));
		await clock.sleep(MINUTE);
	}
	return { requests: requests / CROWD_MINUTES, served: polledAt.size, longest };
}

async function crowdOfLinks(event: string, count: number, every: number): Promise<Crowd> {
	const service = linksOf('urls', clock);
	service.add(50);
	return await measureCrowd(service, event, count, every);
}

/** Worker processes that share one API key. */
async function measureProcesses(count: number, limit: Limit, requests: number): Promise<Processes> {
	const queue = { remaining: requests };
	const processes = Array.from({ length: count }, () => ({ queue }));
	const { refused, ends } = await runProcesses(limit, runtime, processes);
	const least = (Math.ceil(requests / limit.count) - 1) * limit.seconds;
	return { requests, refused, seconds: Math.max(...ends), least };
}

export const accounts: Record<string, () => Promise<Account>> = {
	'10,000 QR codes, New QR Scan': async () => await measureLinks('qrs', 'newQrScan', 10_000),
	'100,000 QR codes, New QR Scan': async () => await measureLinks('qrs', 'newQrScan', 100_000),
	'200,000 links, New Short Link Click': async () => await measureLinks('urls', 'newShortLinkClick', 200_000),
	'a million links, New Short Link': async () => await measureLinks('urls', 'newShortLink', 1_000_000),
	'2,000 feeds with 100,000 unread stories, New Unread Story': async () => await measureStories(2_000, 50),
};
export const crowds: Record<string, () => Promise<Crowd>> = {
	'200 on a link account, every minute': async () => await crowdOfLinks('newShortLink', 200, 1),
	'200 on a link account, every 10 minutes, spread': async () => await crowdOfLinks('newShortLink', 200, 10),
	'200 on a reader account, every minute': async () =>
		await measureCrowd(readerOf(20, 5), 'newUnreadStory', 200, 1),
};
const aMinute = (count: number): Limit => ({ count, seconds: 60 });
export const processes: Record<string, () => Promise<Processes>> = {
	'one, 30 a minute': async () => await measureProcesses(1, aMinute(30), 150),
	'one, 30 in 5 s': async () => await measureProcesses(1, { count: 30, seconds: 5 }, 600),
	'one, 60 in 1 s': async () => await measureProcesses(1, { count: 60, seconds: 1 }, 1200),
	'two, 30 a minute': async () => await measureProcesses(2, aMinute(30), 2000),
	'four, 30 a minute': async () => await measureProcesses(4, aMinute(30), 2000),
	'eight, 30 a minute': async () => await measureProcesses(8, aMinute(30), 2000),
	'50, 30 a minute': async () => await measureProcesses(50, aMinute(30), 600),
	'50, 300 a minute': async () => await measureProcesses(50, aMinute(300), 6000),
};
const jobs: Record<string, () => Promise<object>> = { ...accounts, ...crowds, ...processes };

if (process.argv[1] === import.meta.filename) {
	makeVirtual(clock);
	report(await jobs[process.argv[2]!]!());
}
