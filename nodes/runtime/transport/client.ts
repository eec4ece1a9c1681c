import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INode,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import type { Answer, Request } from '../exchange';
import { apiError, inputError, type ApiFailure } from '../errors/errors';
import { Secrets } from '../errors/secrets';
import type { Service } from './service';
import { isRepeatable, mayBeDoneTwice, mayHaveActed, wasNeverSent } from './repeating';
import { baseUrlOf, isZone } from '../credential';
import { sessionOf } from './session';
import { retryAfter } from './window';
import { clock, sleepUnlessCancelled, throttleOf, type Patience } from './rateLimit';
import {
	ABORTED,
	isRedirect,
	isSafe,
	MAX_ANSWER_BYTES,
	mayReach,
	TOO_LARGE,
	transmit,
	type Credential,
	type NodeContext,
	type Sent,
} from './http';
import {
	CANCELLED,
	forbiddenDomain,
	loginRefused,
	noBaseUrl,
	noZone,
	redirection,
	sessionNotKept,
	tooLarge,
	tooLong,
	unreachable,
} from '../errors/messages';

export interface ClientOptions {
	/** How long one request may wait for the rate limit, in milliseconds. */
	maxWaitMs: number;
}

/** What came of a request: an answer that means success, or the error that says why not. */
export type Attempt = { answer: Answer } | { error: NodeApiError; refused: boolean };

/** In whose name a request goes, and where to. */
interface Sender {
	base: string;
	item: number;
	credential: Credential;
	/** Identifies the service and account. */
	account: string;
}

const MAX_REPEATS = 2;
const REPEAT_AFTER_MS = 500;
/**
 * Sends requests to one service on behalf of one node: with the credential of each item, inside the
 * rate limit, following redirects only where the credential may go, and repeating only what is safe.
 */
export class Client {
	private waitedMs = 0;
	/** n8n copies the node whenever it is asked for it. */
	readonly node: INode;
	private readonly credentialType: string;
	/** What identifies an account, by what it is made of. */
	private readonly accounts = new Map<string, string>();
	/** Of every credential that was used so far, a login adds to it, and of what was typed. */
	readonly secrets = new Secrets();

	constructor(
		private readonly context: NodeContext,
		readonly service: Service,
		private readonly options: ClientOptions,
	) {
		this.node = context.getNode();
		this.credentialType = service.credentialType(this.node);
	}

	/** The one error for what the service did or didn't do; like all that is told, without secrets. */
	failure(failure: ApiFailure): NodeApiError {
		return apiError(this.node, {
			...failure,
			message: this.secrets.masked(failure.message),
			description: this.secrets.masked(failure.description ?? ''),
		});
	}

	/** The one error for what the user's own input makes impossible. */
	invalid(message: string, advice: string, item?: number): NodeOperationError {
		return inputError(this.node, this.secrets.masked(message), this.secrets.masked(advice), item);
	}

	/** Milliseconds that requests waited for the rate limit so far. */
	get waited(): number {
		return this.waitedMs;
	}

	/** Sends a request for an item; `refused` tells that the service itself said no. */
	async attempt(request: Request, item: number): Promise<Attempt> {
		const credential = await this.credential(item);
		this.keep(credential.data);
		/** Whether an earlier try may have been carried out. */
		let inDoubt = false;
		const fail = (failure: ApiFailure, refused = false): Attempt => ({
			refused: refused && !inDoubt,
			error: this.failure({ ...failure, inDoubt, itemIndex: item }),
		});
		const base = baseUrlOf(credential.data);
		if (!base) return fail(noBaseUrl);
		if (!mayReach(this.node, base, credential.data)) return fail(forbiddenDomain(base));

		const zone = this.service.zone?.(credential.data, this.node);
		if (zone !== undefined && !isZone(zone)) return fail(noZone(zone));

		const sender = { base, item, credential, account: this.accountKey(base, credential.data) };
		const throttle = throttleOf(sender.account);
		const patience = this.patience();
		if (request.interval) {
			const pace = throttleOf(`${sender.account} ${request.path}`);
			const turn = await pace.turn(patience);
			if (!turn.go) return fail('cancelled' in turn ? CANCELLED : this.tooLong(turn.opensAt));
			pace.hold(request.interval);
			pace.settle();
		}
		for (let repeats = 0, again = false; ; again = true) {
			const turn = await throttle.turn(patience, again);
			if (!turn.go) return fail('cancelled' in turn ? CANCELLED : this.tooLong(turn.opensAt));
			const { sent, asked, before } = await this.inSession(request, sender).catch((error: unknown) => {
				throttle.settle();
				throw error;
			});
			throttle.settle('answer' in sent ? sent.answer : undefined);
			inDoubt ||= before !== undefined && isDoubtful(this.resultOf(before, request, request, base));
			if ('answer' in sent && sent.answer.status === 429) continue;
			const result = this.resultOf(sent, request, asked, base);
			if ('answer' in result) return { answer: { ...result.answer, ...(zone && { zone }) } };
			inDoubt ||= isDoubtful(result);
			if (repeats < MAX_REPEATS && isRepeatable(request, sent) && !patience.signal?.aborted) {
				const retryAt = 'answer' in sent ? retryAfter(sent.answer.headers, clock.now()) : undefined;
				const wait =
					retryAt === undefined ? REPEAT_AFTER_MS * 2 ** repeats : Math.max(retryAt - clock.now(), 0);
				if (wait <= this.options.maxWaitMs) {
					await sleepUnlessCancelled(wait, patience.signal);
					repeats += 1;
					continue;
				}
			}
			return fail(result, 'answer' in sent);
		}
	}

	/** What came of sending a request once, or of what was asked for its sake: the answer, or why it failed. */
	private resultOf(
		sent: Sent,
		request: Request,
		asked: Request,
		base: string,
	): { answer: Answer } | ApiFailure {
		const { name } = this.service;
		if ('refusedLogin' in sent) return loginRefused(name, sent.refusedLogin);
		const writes = !isSafe(request);
		if ('code' in sent) {
			const inDoubt = writes && !wasNeverSent(sent.code);
			if (sent.code === ABORTED) return { ...CANCELLED, inDoubt };
			if (sent.code === TOO_LARGE) return { ...tooLarge(name, asked.path, MAX_ANSWER_BYTES), inDoubt };
			const { description, ...failure } = unreachable(name, base, sent.code);
			return { ...failure, inDoubt, ...(!inDoubt && { description }) };
		}
		const { answer } = sent;
		const refusal =
			(isRedirect(answer.status) ? redirection(answer, asked) : undefined) ??
			(this.isGone(sent, asked) ? sessionNotKept(name, asked) : undefined) ??
			this.service.refusal(answer, asked);
		if (!refusal) return { answer };
		const inDoubt = writes && mayHaveActed(answer, refusal);
		return { code: String(answer.status), ...refusal, inDoubt };
	}

	/** What identifies the service and account that an item uses: requests of different ones never mix. */
	async identity(item: number): Promise<string> {
		const { data } = await this.credential(item);
		return this.accountKey(baseUrlOf(data) ?? '', data);
	}

	/** The zone of the clock by which the host of an item takes and tells dates; undefined where that is not told. */
	async zone(item: number): Promise<string | undefined> {
		return this.service.zone?.((await this.credential(item)).data, this.node);
	}

	private tooLong(opensAt: number): ApiFailure {
		return tooLong(this.service.name, opensAt, clock.now(), this.options.maxWaitMs);
	}

	private isGone(sent: Sent, request: Request): boolean {
		return 'answer' in sent && (this.service.session?.gone(sent.answer, request) ?? false);
	}

	/**
	 * Sends it, with a session renewed once if the service's answer says that it is gone. Where an answer can't say
	 * that, another request asks for it: an answer of a session that had ended is never used. A write that may have been
	 * carried out is not sent once more; for the next one the session is renewed. Tells which of the two requests came to
	 * this, and what came of the first where that was left open.
	 */
	private async inSession(
		request: Request,
		sender: Sender,
	): Promise<{ sent: Sent; asked: Request; before?: Sent }> {
		const { session } = this.service;
		const asked = request;
		if (!session || request.anonymous) return { sent: await this.carry(request, sender), asked };
		const first = await this.carryInSession(request, sender);
		const isSilent = 'answer' in first.sent && session.silent(first.sent.answer, request);
		if (!isSilent) return { sent: first.sent, asked };
		const proof = await this.carryInSession(session.proof, sender);
		if (!mayBeDoneTwice(request)) return { sent: first.sent, asked };
		const isProven = 'answer' in proof.sent && proof.sent.answer.status < 300;
		if (!isProven || this.isGone(proof.sent, session.proof))
			return { sent: proof.sent, asked: session.proof, before: first.sent };
		if (proof.token === first.token) return { sent: first.sent, asked };
		return { sent: (await this.carryInSession(request, sender)).sent, asked, before: first.sent };
	}

	private async carry(request: Request, { base, credential }: Sender): Promise<Sent> {
		const sent = await transmit(this.context, base, request, this.service.encode(request.body), credential);
		this.keep(credential.data);
		if ('answer' in sent) this.secrets.notice(sent.answer.text);
		return sent;
	}

	private keep(data: ICredentialDataDecryptedObject): void {
		this.secrets.keep(this.service.secrets(data));
	}

	/** Sends it, with a session renewed once if need be; tells which session the answer came of. */
	private async carryInSession(request: Request, sender: Sender): Promise<{ sent: Sent; token: string }> {
		const renewal = this.service.session?.renewal(this.context, this.credentialType);
		if (!renewal) return { sent: await this.carry(request, sender), token: '' };
		const { type, data } = sender.credential;
		let token = '';
		const sent = await sessionOf(sender.account).send(
			{
				send: async (renewed) => {
					const came = await this.carry(request, { ...sender, credential: { type, data: renewed } });
					token = renewal.token(renewed);
					return came;
				},
				gone: (came) => this.isGone(came, request),
				read: async () => (await this.credential(sender.item)).data,
			},
			renewal,
			data,
		);
		return { sent, token };
	}

	private async credential(item: number): Promise<Credential> {
		const { context, credentialType: type } = this;
		const data = await (context as IExecuteFunctions).getCredentials<ICredentialDataDecryptedObject>(
			type,
			item,
		);
		return { type, data };
	}

	private accountKey(base: string, data: ICredentialDataDecryptedObject): string {
		const identity = JSON.stringify([base, ...this.service.identity(data, this.node)]);
		const key = this.accounts.get(identity) ?? createHash('sha256').update(identity).digest('hex');
		this.accounts.set(identity, key);
		return key;
	}

	private patience(): Patience {
		let announced = 0;
		return {
			maxWaitMs: this.options.maxWaitMs,
			signal: cancelSignal(this.context),
			onWait: (ms) => {
				const until = clock.now() + ms;
				if (until <= announced + 1000) return;
				this.waitedMs += announced > clock.now() ? until - announced : ms;
				announced = until;
				this.announce(ms);
			},
		};
	}

	private announce(ms: number): void {
		const message = `Waiting ${Math.ceil(ms / 1000)} s for the rate limit of ${this.service.name}`;
		this.context.logger?.info(message);
		if ('sendMessageToUI' in this.context) this.context.sendMessageToUI(message);
	}
}

const isDoubtful = (result: { answer: Answer } | ApiFailure): boolean =>
	'inDoubt' in result && result.inDoubt === true;

const cancelSignal = (context: NodeContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
