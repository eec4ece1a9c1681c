/** Stands between the nodes and the sandbox, breaks what a schedule says, and writes down what the services did. */
import type { RestorableSandbox } from '../../support/hosts/restorable-sandbox';
import {
	FakeHost,
	textOf,
	type Behavior,
	type HostRequest,
	type PassOn,
	type Reply,
} from '../../support/hosts/fake-host';
import type { Fault, ServiceName } from './faults';

/** The form fields that list the entries of a write; undefined if it has one entry. */
export type EntryFields = readonly string[] | undefined;

/** A fault's effects other than its reply. */
export interface World {
	/** Somebody sets the clock of the process. */
	moveClock(ms: number): void;
	/** The time of all requests under way is over. */
	passLimits(): void;
}
const CALM: World = { moveClock: () => {}, passLimits: () => {} };

/** Long enough for the beginning of a body to arrive; nothing depends on it. */
const STALL_MS = 10;

export class Ledger {
	/** What the services did, in order, each by what was asked. */
	readonly acts: string[] = [];
	/** What of it they confirmed, by a response that came as it was sent. */
	readonly confirmed = new Set<string>();
	/** What arrived at the host, done or not. */
	readonly arrived = new Set<string>();
	/** The faults that came to pass. */
	readonly broken: Fault[] = [];
	/** A token was asked for: the former ones may be worth nothing. */
	hasRenewed = false;
	private readonly underWay: Array<Promise<Behavior>> = [];
	private arrivals = 0;
	/** How often the node may wait before the host accepts connections again. */
	private naps = 0;

	private constructor(
		private readonly host: FakeHost,
		private readonly service: ServiceName,
		private readonly entryFields: EntryFields,
		private readonly schedule: ReadonlyArray<Fault | undefined>,
		private readonly world: World,
	) {
		host.respond = async (request, passOn) => {
			const response = this.answer(request, passOn);
			this.underWay.push(response);
			return await response;
		};
	}

	/** A new host, which no node remembers. The n-th request meets the n-th fault of the schedule. */
	static async start(
		sandbox: RestorableSandbox,
		service: ServiceName,
		entryFields: EntryFields,
		schedule: ReadonlyArray<Fault | undefined> = [],
		world: World = CALM,
	): Promise<Ledger> {
		const host = await FakeHost.inFrontOf(sandbox.origin);
		const ledger = new Ledger(host, service, entryFields, schedule, world);
		ledger.refuseNext();
		return ledger;
	}

	get baseUrl(): string {
		return this.host.baseUrl;
	}

	/** A node waits: a host that was away may be back. */
	async nap(): Promise<void> {
		this.naps -= 1;
		if (this.naps === 0) await this.host.up();
	}

	/** Resolves when the services have processed all requests, including those that a node gave up. */
	async stop(): Promise<void> {
		await Promise.allSettled(this.underWay);
		await this.host.stop();
	}

	private async answer(request: HostRequest, passOn: PassOn): Promise<Behavior> {
		if (asksForAnotherWay(request)) return closing(await passOn());
		const fault = this.schedule[this.arrivals];
		this.arrivals += 1;
		this.hasRenewed ||= request.path.endsWith('/oauth/token');
		const real = fault?.moment === 'before' ? undefined : await passOn();
		const keys = isWrite(request) ? keysOf(request, this.entryFields) : [];
		keys.forEach((key) => this.arrived.add(key));
		const isActed = real !== undefined && isDone(this.service, real);
		if (isActed) this.acts.push(...keys);
		this.refuseNext();
		const isBroken = fault !== undefined && fault.moment !== 'refused';
		const reply = isBroken ? fault.reply(this.service, real) : real!;
		if (isActed && isIntact(reply, real)) keys.forEach((key) => this.confirmed.add(key));
		if (!isBroken) return closing(real!);
		this.broken.push(fault);
		this.world.moveClock(fault.clockMoves ?? 0);
		if (typeof reply === 'string') return reply;
		if (reply.stallAfter !== undefined || reply.dripMs) setTimeout(() => this.world.passLimits(), STALL_MS);
		return closing(reply);
	}

	/** Where the schedule wants the next request refused, nobody listens until the node has waited a time or two. */
	private refuseNext(): void {
		const next = this.schedule[this.arrivals];
		if (next?.moment !== 'refused') return;
		this.arrivals += 1;
		this.broken.push(next);
		this.naps = 1 + (this.arrivals % 4);
		this.host.down();
	}
}

/** So that the next request needs a connection of its own. */
const closing = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, connection: 'close' } });

/** Asked whether it adds many feeds at once, a host that is broken makes the node write in another way. */
const asksForAnotherWay = ({ method, path }: HostRequest): boolean =>
	method === 'GET' && path.endsWith('/reader/add_feeds');

const isWrite = ({ method, path }: HostRequest): boolean =>
	method !== 'GET' && !path.endsWith('/api/login') && !path.includes('/oauth/');

/** Whether a reply is the service's own, but for its headers. */
const isIntact = (reply: Behavior, real: Reply): boolean =>
	typeof reply !== 'string' &&
	reply.status === real.status &&
	reply.body === real.body &&
	[reply.cutAfter, reply.stallAfter, reply.dripMs].every((limit) => limit === undefined);

/** What identifies a write: its address and body, and of several entries each of them. */
function keysOf({ method, url, headers, body }: HostRequest, entryFields: EntryFields): string[] {
	const [, boundary] = /boundary=(.*)$/.exec(headers['content-type'] ?? '') ?? [];
	const reported = boundary ? body.split(boundary).join('') : body;
	if (entryFields === undefined) return [`${method} ${url} ${reported}`];
	const form = new URLSearchParams(reported);
	const entries = entryFields.flatMap((field) => form.getAll(field));
	entryFields.forEach((field) => form.delete(field));
	return entries.map((entry) => `${method} ${url} ${form.toString()} ${entry}`);
}

/** Whether the service says that it did what was asked. */
function isDone(service: ServiceName, reply: Reply): boolean {
	if (reply.status! >= 400) return false;
	const { error, code, errors, result } = JSON.parse(textOf(reply)) as Record<string, unknown>;
	if (service === 'links') return Number(error) === 0;
	return !(Number(code) < 0) && result !== 'error' && Object.keys(Object(errors) as object).length === 0;
}
