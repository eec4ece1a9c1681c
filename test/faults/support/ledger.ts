/** A proxy between the nodes and the sandbox. It causes the faults of a schedule, and records what the services did. */
import type { RestorableSandbox } from '../../support/hosts/database';
import {
	FakeHost,
	bodyText,
	type Behavior,
	type HostRequest,
	type PassOn,
	type Reply,
} from '../../support/hosts/fake-host';
import type { Fault, ServiceName } from './faults';

/** The form fields that list the entries of a write; undefined if it has one entry. */
export type EntryFields = readonly string[] | undefined;

/** The effects of a fault in addition to its reply. */
export interface FaultEffects {
	/** Shifts the clock of the process. */
	shiftClock(ms: number): void;
	/** Ends the timeouts of all pending requests. */
	expireTimeouts(): void;
}
const NO_EFFECTS: FaultEffects = { shiftClock: () => {}, expireTimeouts: () => {} };

/** Usually enough for the first bytes of a body to arrive; no result depends on it. */
const STALL_MS = 10;

export class Ledger {
	/** The keys of the writes that the services did, in order. */
	readonly acts: string[] = [];
	/** The keys of writes whose unchanged response was sent. */
	readonly confirmed = new Set<string>();
	/** The keys of writes that reached the host, done or not. */
	readonly arrived = new Set<string>();
	/** The faults that occurred. */
	readonly broken: Fault[] = [];
	/** Whether tokens were requested, so the previous ones may be invalid. */
	hasRequestedTokens = false;
	private readonly pending: Array<Promise<Behavior>> = [];
	private requestCount = 0;
	/** How many more waits of the node the host refuses connections. */
	private waitsUntilUp = 0;

	private constructor(
		private readonly host: FakeHost,
		private readonly service: ServiceName,
		private readonly entryFields: EntryFields,
		private readonly schedule: ReadonlyArray<Fault | undefined>,
		private readonly effects: FaultEffects,
	) {
		host.respond = async (request, passOn) => {
			const response = this.handle(request, passOn);
			this.pending.push(response);
			return await response;
		};
	}

	/** Starts a host at a new address, so the nodes have no state for it. The n-th request gets the n-th fault. */
	static async start(
		sandbox: RestorableSandbox,
		service: ServiceName,
		entryFields: EntryFields,
		schedule: ReadonlyArray<Fault | undefined> = [],
		effects: FaultEffects = NO_EFFECTS,
	): Promise<Ledger> {
		const host = await FakeHost.inFrontOf(sandbox.origin);
		const ledger = new Ledger(host, service, entryFields, schedule, effects);
		ledger.refuseNext();
		return ledger;
	}

	get baseUrl(): string {
		return this.host.baseUrl;
	}

	/** To call when a node waits: a host that is down may come up. */
	async onWait(): Promise<void> {
		this.waitsUntilUp -= 1;
		if (this.waitsUntilUp === 0) await this.host.up();
	}

	/** Resolves when the services have processed all requests, including those that a node has aborted. */
	async stop(): Promise<void> {
		await Promise.allSettled(this.pending);
		await this.host.stop();
	}

	private async handle(request: HostRequest, passOn: PassOn): Promise<Behavior> {
		if (checksBatchSupport(request)) return closing(await passOn());
		const fault = this.schedule[this.requestCount];
		this.requestCount += 1;
		this.hasRequestedTokens ||= request.path.endsWith('/oauth/token');
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
		this.effects.shiftClock(fault.clockShiftMs ?? 0);
		if (typeof reply === 'string') return reply;
		if (reply.stallAfter !== undefined || reply.dripMs)
			setTimeout(() => this.effects.expireTimeouts(), STALL_MS);
		return closing(reply);
	}

	/** If the schedule refuses the next request, the host is down until the node has waited one to four times. */
	private refuseNext(): void {
		const next = this.schedule[this.requestCount];
		if (next?.moment !== 'refused') return;
		this.requestCount += 1;
		this.broken.push(next);
		this.waitsUntilUp = 1 + (this.requestCount % 4);
		this.host.down();
	}
}

/** Makes the next request open a new connection. */
const closing = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, connection: 'close' } });

/** Whether a request asks if the host adds many feeds at once. A fault would make the node send other writes. */
const checksBatchSupport = ({ method, path }: HostRequest): boolean =>
	method === 'GET' && path.endsWith('/reader/add_feeds');

const isWrite = ({ method, path }: HostRequest): boolean =>
	method !== 'GET' && !path.endsWith('/api/login') && !path.includes('/oauth/');

/** Whether a reply has the status and the complete body of the service's reply. */
const isIntact = (reply: Behavior, real: Reply): boolean =>
	typeof reply !== 'string' &&
	reply.status === real.status &&
	reply.body === real.body &&
	[reply.cutAfter, reply.stallAfter, reply.dripMs].every((limit) => limit === undefined);

/** The keys that identify a write: its URL and body, with one key for each entry. */
function keysOf({ method, url, headers, body }: HostRequest, entryFields: EntryFields): string[] {
	const [, boundary] = /boundary=(.*)$/.exec(headers['content-type'] ?? '') ?? [];
	const content = boundary ? body.split(boundary).join('') : body;
	if (entryFields === undefined) return [`${method} ${url} ${content}`];
	const form = new URLSearchParams(content);
	const entries = entryFields.flatMap((field) => form.getAll(field));
	entryFields.forEach((field) => form.delete(field));
	return entries.map((entry) => `${method} ${url} ${form.toString()} ${entry}`);
}

/** Whether the service's reply confirms the write. */
function isDone(service: ServiceName, reply: Reply): boolean {
	if (reply.status! >= 400) return false;
	const { error, code, errors, result } = JSON.parse(bodyText(reply)) as Record<string, unknown>;
	if (service === 'links') return Number(error) === 0;
	return !(Number(code) < 0) && result !== 'error' && Object.keys(Object(errors) as object).length === 0;
}
