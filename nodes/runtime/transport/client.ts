import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INode,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import type { ApiResponse, ApiRequest } from '../api-types';
import { apiError, inputError, type FailureDetails } from '../errors/errors';
import { Secrets } from '../errors/secrets';
import {
	isExpired,
	isRetryable,
	limitOf,
	isIdempotent,
	resultOf,
	retryAfterOf,
	wasInDoubt,
	type CheckedReply,
	type Service,
	type SessionRules,
} from './service';
import { clock, sleepUnlessCancelled } from '../clock';
import { baseUrlOf, isReadOnly, isZone } from '../credential';
import { getOrCreate } from '../values';
import { sessionOf } from './session';
import { throttleOf, type Permit, type Throttle, type WaitOptions } from './throttle';
import {
	isSafe,
	mayReach,
	responseIn,
	transmit,
	type Credential,
	type NodeContext,
	type Reply,
} from './http';
import { CANCELLED, forbiddenDomain, NO_BASE_URL, noZone, readOnly, waitTooLong } from '../errors/messages';

/** The end of a request: a successful response, or an error. `refused`: the service itself refused the request. */
export type Attempt = { response: ApiResponse } | { error: NodeApiError; refused: boolean };

/** The credential with which a request is sent, and what follows from it. */
interface Sender {
	base: string;
	item: number;
	credential: Credential;
	/** The key of the host and account. */
	account: string;
	/** The time zone of the host's clock. */
	zone?: string;
	throttle: Throttle;
}

/** What a `CheckedReply` means for its request. The verdict after the last retry becomes the `Attempt`. */
type Verdict =
	| { response: ApiResponse }
	| {
			failure: FailureDetails;
			/** The service itself refused the request. */
			refused?: boolean;
			/** Set if the request may be retried: at the throttle's next permit, or after a pause. */
			retry?: 'throttled' | 'paused';
			/** The pause that the service asks for, in milliseconds. */
			pauseMs?: number;
	  };

/** The most retries after a pause. A retry after HTTP 429 doesn't count, because the throttle limits its wait. */
const MAX_RETRIES = 2;
/** The pause before the first retry, if the service asks for none; doubled for the second. */
const FIRST_PAUSE_MS = 500;

/**
 * Sends requests to one service for one node: with the credential of each item and within the rate limit. Follows
 * redirects only to hosts that the credential allows, and retries only requests that are safe to retry.
 */
export class Client {
	private waitedMs = 0;
	/** Cached, because `getNode` makes a copy each time. */
	readonly node: INode;
	private readonly credentialType: string;
	/** Account keys by their parts. */
	private readonly accounts = new Map<string, string>();
	/** Secrets of all credentials used so far, and of password fields. */
	readonly secrets = new Secrets();

	constructor(
		private readonly context: NodeContext,
		readonly service: Service,
		/** The longest wait for the rate limit, and how the user can change it. */
		private readonly options: { maxWaitMs: number; advice?: string },
	) {
		this.node = context.getNode();
		this.credentialType = service.credentialType(this.node);
	}

	/** The error for a failed request, without secrets. */
	apiError(failure: FailureDetails): NodeApiError {
		return apiError(this.node, {
			...failure,
			message: this.secrets.masked(failure.message),
			description: this.secrets.masked(failure.description ?? ''),
		});
	}

	/** The error for invalid input, without secrets. */
	inputError(message: string, advice: string, item?: number): NodeOperationError {
		return inputError(this.node, this.secrets.masked(message), this.secrets.masked(advice), item);
	}

	/** Milliseconds that requests have waited for the rate limit. */
	get waited(): number {
		return this.waitedMs;
	}

	/** Sends a request for an item. If it fails, retries it where that is safe and may help. */
	async attempt(request: ApiRequest, item: number): Promise<Attempt> {
		const wait = this.waitOptions(request);
		const sender = await this.senderFor(request, item);
		if ('failure' in sender) return this.failed(sender.failure, item);
		const tooLong = await this.keepPace(request, sender, wait);
		if (tooLong) return this.failed(tooLong, item);
		let inDoubt = false;
		let retries = 0;
		for (let isRetry = false; ; isRetry = true) {
			const verdict = await this.sendOnce(request, sender, wait, isRetry);
			if ('response' in verdict) return verdict;
			const { failure, retry, pauseMs, refused } = verdict;
			inDoubt ||= failure.inDoubt === true;
			if (retry === 'throttled') continue;
			const mayPause = retry === 'paused' && !wait.signal?.aborted;
			const pause = mayPause ? this.pauseBefore(retries, pauseMs) : undefined;
			if (pause === undefined) return this.failed({ ...failure, inDoubt }, item, refused && !inDoubt);
			await sleepUnlessCancelled(pause, wait.signal);
			retries += 1;
		}
	}

	/** Milliseconds before the next retry; undefined if no retries are left, or the pause exceeds the maximum wait. */
	private pauseBefore(retries: number, askedMs: number | undefined): number | undefined {
		if (retries >= MAX_RETRIES) return undefined;
		const pause = askedMs ?? FIRST_PAUSE_MS * 2 ** retries;
		return pause <= this.options.maxWaitMs ? pause : undefined;
	}

	private failed(failure: FailureDetails, itemIndex: number, refused = false): Attempt {
		return { refused, error: this.apiError({ ...failure, itemIndex }) };
	}

	/** The sender of a request, or why the request can't be sent. */
	private async senderFor(request: ApiRequest, item: number): Promise<Sender | { failure: FailureDetails }> {
		const credential = await this.credential(item);
		const { data } = credential;
		this.maskCredential(data);
		const base = baseUrlOf(data);
		if (!base) return { failure: NO_BASE_URL };
		if (!mayReach(this.node, base, data)) return { failure: forbiddenDomain(base) };
		const zone = this.service.zone?.(data);
		if (zone !== undefined && !isZone(zone)) return { failure: noZone(zone) };
		if (isReadOnly(data) && !isSafe(request)) return { failure: readOnly(request) };
		const rejected = this.service.rejects?.(request, data);
		if (rejected) return { failure: rejected };
		const account = this.accountOf(base, data);
		const counter = limitOf(this.service, request.path)?.counter;
		const throttle = throttleOf(counter ? `${account} ${counter}` : account);
		return { base, item, credential, account, throttle, ...(zone !== undefined && { zone }) };
	}

	/** Waits for the request's minimum interval. Returns a failure if that takes too long. */
	private async keepPace(
		{ interval, path }: ApiRequest,
		{ account }: Sender,
		wait: WaitOptions,
	): Promise<FailureDetails | undefined> {
		if (!interval) return undefined;
		const pace = throttleOf(`${account} ${path}`);
		const permit = await pace.permit(wait);
		if (!permit.go) return this.withoutPermit(permit);
		pace.blockFor(interval);
		pace.finish();
		return undefined;
	}

	private withoutPermit(permit: Permit & { go: false }, isRetry = false): FailureDetails {
		return 'cancelled' in permit ? CANCELLED : this.tooLong(permit.opensIn, isRetry);
	}

	/** Sends a request once, when the rate limit allows it. */
	private async sendOnce(
		request: ApiRequest,
		sender: Sender,
		wait: WaitOptions,
		isRetry: boolean,
	): Promise<Verdict> {
		const permit = await sender.throttle.permit(wait, isRetry);
		if (!permit.go) return { failure: this.withoutPermit(permit, isRetry) };
		let response: ApiResponse | undefined;
		try {
			const checked = await this.checkedReply(request, sender);
			response = responseIn(checked.reply);
			return this.verdictOn(checked, sender);
		} finally {
			sender.throttle.finish(response, wait.limit);
		}
	}

	/** Decides whether a request succeeded and, if not, whether to retry it. */
	private verdictOn(checked: CheckedReply, { base, zone }: Sender): Verdict {
		const { request, reply } = checked;
		const inDoubt = wasInDoubt(this.service, checked, base);
		const received = responseIn(reply);
		if (received?.status === 429)
			return { failure: { ...this.tooLong(0, true), inDoubt }, retry: 'throttled' };
		const result = resultOf(this.service, checked, base);
		if ('response' in result)
			return { response: { ...result.response, ...(zone !== undefined && { zone }) } };
		return {
			failure: { ...result.failure, inDoubt: inDoubt || result.failure.inDoubt },
			refused: received !== undefined,
			...(isRetryable(request, reply) && { retry: 'paused', pauseMs: retryAfterOf(reply) }),
		};
	}

	/** Identifies the host and account of an item. Caches, locks and throttles use it as a key. */
	async account(item: number): Promise<string> {
		const { data } = await this.credential(item);
		return this.accountOf(baseUrlOf(data) ?? '', data);
	}

	/** The time zone of an item's host. */
	async zone(item: number): Promise<string | undefined> {
		return this.service.zone?.((await this.credential(item)).data);
	}

	private tooLong(opensIn: number, isRetry: boolean): FailureDetails {
		return waitTooLong(this.service.name, { ...this.options, opensIn, now: clock.now(), isRetry });
	}

	/**
	 * Sends a request. If the response shows that the session has expired, renews it and retries once. If a response can't
	 * show that, a second request checks the session. The response of an expired session is never used. A write that may
	 * have been carried out is not retried.
	 */
	private async checkedReply(request: ApiRequest, sender: Sender): Promise<CheckedReply> {
		const { session } = this.service;
		if (!session || request.anonymous)
			return { request, reply: await this.sendWith(sender.credential, request, sender), repliedTo: request };
		const first = await this.sendInSession(session, request, sender);
		const asReceived = { request, reply: first.reply, repliedTo: request };
		const response = responseIn(first.reply);
		if (!response || !session.needsSessionCheck(response, request)) return asReceived;
		const { sessionCheck } = session;
		const check = await this.sendInSession(session, sessionCheck, sender);
		// A write may have been carried out, so it is not retried. The check renewed the session for later requests.
		if (!isIdempotent(request)) return asReceived;
		const checkStatus = responseIn(check.reply)?.status ?? Infinity;
		if (checkStatus >= 300 || isExpired(this.service, check.reply, sessionCheck))
			return { request, reply: check.reply, repliedTo: sessionCheck, firstReply: first.reply };
		// The check renewed nothing: the first reply came from a valid session.
		if (check.token === first.token) return asReceived;
		const { reply } = await this.sendInSession(session, request, sender);
		return { request, reply, repliedTo: request, firstReply: first.reply };
	}

	/** Sends a request once. Then adds the secrets of the credential again: a login may have changed them. */
	private async sendWith(
		credential: Credential,
		request: ApiRequest,
		{ base }: Sender,
		logsIn = false,
	): Promise<Reply> {
		const encoded = this.service.encode(request.body);
		const reply = await transmit(this.context, { base, request, encoded, credential, logsIn });
		this.maskCredential(credential.data);
		return reply;
	}

	private maskCredential(data: ICredentialDataDecryptedObject): void {
		this.secrets.add(...this.service.secrets(data));
	}

	/** Sends a request in a session, which it renews once if needed. Returns the token of the session that was used. */
	private async sendInSession(
		session: SessionRules,
		request: ApiRequest,
		sender: Sender,
	): Promise<{ reply: Reply; token: string }> {
		const renewal = session.renewal(this.context, this.credentialType);
		const { type, data } = sender.credential;
		let token = '';
		const reply = await sessionOf(sender.account).send(
			{
				send: async (renewed) => {
					const logsIn = renewal.token(renewed) === '';
					const received = await this.sendWith({ type, data: renewed }, request, sender, logsIn);
					token = renewal.token(renewed);
					return received;
				},
				expired: (received) => isExpired(this.service, received, request),
				readCredential: async () => (await this.credential(sender.item)).data,
			},
			renewal,
			data,
		);
		return { reply, token };
	}

	private async credential(item: number): Promise<Credential> {
		const { context, credentialType: type } = this;
		const data = await (context as IExecuteFunctions).getCredentials<ICredentialDataDecryptedObject>(
			type,
			item,
		);
		return { type, data };
	}

	private accountOf(base: string, data: ICredentialDataDecryptedObject): string {
		const identity = JSON.stringify([base, ...this.service.identity(data, this.node)]);
		return getOrCreate(this.accounts, identity, () => createHash('sha256').update(identity).digest('hex'));
	}

	private waitOptions({ path }: ApiRequest): WaitOptions {
		const limit = limitOf(this.service, path);
		// Overlapping waits count once. A wait is announced if it ends more than a second after the last announced one.
		let announcedUntil = 0;
		return {
			maxWaitMs: this.options.maxWaitMs,
			signal: cancelSignal(this.context),
			...(limit && { limit }),
			onWait: (ms) => {
				const now = clock.uptime();
				const until = now + ms;
				if (until <= announcedUntil + 1000) return;
				this.waitedMs += until - Math.max(announcedUntil, now);
				announcedUntil = until;
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

const cancelSignal = (context: NodeContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
