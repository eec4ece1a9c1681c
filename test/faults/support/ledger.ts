/** Stands between the nodes and the sandbox, breaks what a schedule says, and writes down what the services did. */
import type { RestorableSandbox } from '../../support/hosts/restorable-sandbox';
import {
	FakeHost,
	textOf,
	type Answer,
	type HostRequest,
	type PassOn,
	type Reply,
} from '../../support/hosts/fake-host';
import type { Fault, Spoken } from './faults';

/** What of a batch makes one request out of many: the form field that lists the entries. */
export type BatchField = string | undefined;

/** What a fault does beside its reply. */
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
	/** The faults that came to pass. */
	readonly broken: Fault[] = [];
	/** A token was asked for: the former ones may be worth nothing. */
	hasRenewed = false;
	private readonly underWay: Array<Promise<Answer>> = [];
	private arrivals = 0;
	/** How often the node may wait before the host accepts connections again. */
	private naps = 0;

	private constructor(
		private readonly host: FakeHost,
		private readonly spoken: Spoken,
		private readonly batchField: BatchField,
		private readonly schedule: ReadonlyArray<Fault | undefined>,
		private readonly world: World,
	) {
		host.answer = async (request, passOn) => {
			const answer = this.answer(request, passOn);
			this.underWay.push(answer);
			return await answer;
		};
	}

	/** A host of its own, of which no node remembers anything. The n-th request meets the n-th fault of the schedule. */
	static async start(
		sandbox: RestorableSandbox,
		spoken: Spoken,
		batchField: BatchField,
		schedule: ReadonlyArray<Fault | undefined> = [],
		world: World = CALM,
	): Promise<Ledger> {
		const host = await FakeHost.inFrontOf(sandbox.origin);
		const ledger = new Ledger(host, spoken, batchField, schedule, world);
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

	/** Once the services are through with all requests: those that a node gave up go on there. */
	async stop(): Promise<void> {
		await Promise.allSettled(this.underWay);
		await this.host.stop();
	}

	private async answer(request: HostRequest, passOn: PassOn): Promise<Answer> {
		const fault = this.schedule[this.arrivals];
		this.arrivals += 1;
		this.hasRenewed ||= request.path.endsWith('/oauth/token');
		const real = fault?.moment === 'before' ? undefined : await passOn();
		if (real && isWrite(request) && isDone(this.spoken, real))
			this.acts.push(...keysOf(request, this.batchField));
		this.refuseNext();
		if (fault?.moment === 'refused' || !fault) return closing(real!);
		this.broken.push(fault);
		const reply = fault.reply(this.spoken, real);
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

const isWrite = ({ method, path }: HostRequest): boolean =>
	method !== 'GET' && !path.endsWith('/api/login') && !path.includes('/oauth/');

/** What identifies a write: its address and body, and of a batch each of its entries. */
function keysOf({ method, url, headers, body }: HostRequest, batchField: BatchField): string[] {
	const [, boundary] = /boundary=(.*)$/.exec(headers['content-type'] ?? '') ?? [];
	const told = boundary ? body.split(boundary).join('') : body;
	if (batchField === undefined) return [`${method} ${url} ${told}`];
	const form = new URLSearchParams(told);
	const entries = form.getAll(batchField);
	form.delete(batchField);
	return entries.map((entry) => `${method} ${url} ${form.toString()} ${entry}`);
}

/** Whether the service says that it did what was asked. */
function isDone(spoken: Spoken, reply: Reply): boolean {
	if (reply.status! >= 400) return false;
	const { error, code, errors, result } = JSON.parse(textOf(reply)) as Record<string, unknown>;
	if (spoken === 'links') return Number(error) === 0;
	return !(Number(code) < 0) && result !== 'error' && Object.keys(Object(errors) as object).length === 0;
}
