/** Stands between the nodes and the sandbox, breaks what a schedule says, and writes down what the services did. */
import type { RestorableSandbox } from '../../support/hosts/restorable-sandbox';
import { Proxy, type Asked, type Reply } from '../../support/hosts/proxy';
import type { Fault, Spoken } from './faults';

/** What of a batch makes one request out of many: the form field that lists the entries. */
export type BatchField = string | undefined;

export class Ledger {
	/** What the services did, in order, each by what was asked. */
	readonly acts: string[] = [];
	/** The faults that came to pass. */
	readonly broken: Fault[] = [];
	/** A token was asked for: the former ones may be worth nothing. */
	hasRenewed = false;
	private arrivals = 0;
	/** How often the node may wait before the host accepts connections again. */
	private naps = 0;

	private constructor(
		private readonly proxy: Proxy,
		private readonly spoken: Spoken,
		private readonly batchField: BatchField,
		private readonly schedule: ReadonlyArray<Fault | undefined>,
	) {
		proxy.intercept = async (asked, pass) => await this.answer(asked, pass);
	}

	/** A host of its own, of which no node remembers anything. The n-th request meets the n-th fault of the schedule. */
	static async start(
		sandbox: RestorableSandbox,
		spoken: Spoken,
		batchField: BatchField,
		schedule: ReadonlyArray<Fault | undefined> = [],
	): Promise<Ledger> {
		const ledger = new Ledger(await Proxy.start(sandbox.origin), spoken, batchField, schedule);
		ledger.refuseNext();
		return ledger;
	}

	get origin(): string {
		return this.proxy.origin;
	}

	/** A node waits: a host that was away may be back. */
	async nap(): Promise<void> {
		this.naps -= 1;
		if (this.naps === 0) await this.proxy.up();
	}

	async stop(): Promise<void> {
		await this.proxy.stop();
	}

	private async answer(asked: Asked, pass: () => Promise<Reply>): Promise<Reply | 'reset'> {
		const fault = this.schedule[this.arrivals];
		this.arrivals += 1;
		this.hasRenewed ||= asked.path.endsWith('/oauth/token');
		const real = fault?.moment === 'before' ? undefined : await pass();
		if (real && isWrite(asked) && isDone(this.spoken, real))
			this.acts.push(...keysOf(asked, this.batchField));
		this.refuseNext();
		if (fault?.moment === 'refused' || !fault) return closing(real!);
		this.broken.push(fault);
		const reply = fault.reply(this.spoken, real);
		return reply === 'reset' ? reply : closing(reply);
	}

	/** Where the schedule wants the next request refused, nobody listens until the node has waited a time or two. */
	private refuseNext(): void {
		const next = this.schedule[this.arrivals];
		if (next?.moment !== 'refused') return;
		this.arrivals += 1;
		this.broken.push(next);
		this.naps = 1 + (this.arrivals % 4);
		this.proxy.down();
	}
}

/** So that the next request needs a connection of its own. */
const closing = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, connection: 'close' } });

const isWrite = ({ method, path }: Asked): boolean =>
	method !== 'GET' && !path.endsWith('/api/login') && !path.includes('/oauth/');

/** What identifies a write: its address and body, and of a batch each of its entries. */
function keysOf({ method, url, headers, body }: Asked, batchField: BatchField): string[] {
	const [, boundary] = /boundary=(.*)$/.exec(headers['content-type'] ?? '') ?? [];
	const told = boundary ? body.split(boundary).join('') : body;
	if (batchField === undefined) return [`${method} ${url} ${told}`];
	const form = new URLSearchParams(told);
	const entries = form.getAll(batchField);
	form.delete(batchField);
	return entries.map((entry) => `${method} ${url} ${form.toString()} ${entry}`);
}

/** Whether the service says that it did what was asked. */
function isDone(spoken: Spoken, { status, body = '' }: Reply): boolean {
	if (status >= 400) return false;
	const { error, code, errors, result } = JSON.parse(body.toString()) as Record<string, unknown>;
	if (spoken === 'links') return Number(error) === 0;
	return !(Number(code) < 0) && result !== 'error' && Object.keys(Object(errors) as object).length === 0;
}
