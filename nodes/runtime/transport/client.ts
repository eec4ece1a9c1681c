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
	isRepeatable,
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
import { isSafe, mayReach, transmit, type Credential, type NodeContext, type Reply } from './http';
import { CANCELLED, forbiddenDomain, NO_BASE_URL, noZone, readOnly, waitTooLong } from '../errors/messages';

/** What sending a request led to: a successful response, or an error. `refused`: the service itself refused it. */
export type Attempt = { response: ApiResponse } | { error: NodeApiError; refused: boolean };

/** Who sends a request, and where it goes. */
interface Sender {
	base: string;
	item: number;
	credential: Credential;
	/** Identifies the service and account. */
	account: string;
	/** The time zone of the host's clock. */
	zone?: string;
	throttle: Throttle;
}

/** The pause that the service asks for before a request is repeated, if any. */
interface Pause {
	afterMs: number | undefined;
}

/** What a `CheckedReply` means for its request. The last one becomes the `Attempt`. */
type Verdict =
	| { response: ApiResponse }
	| {
			failure: FailureDetails;
			/** The service itself refused the request. */
			refused?: boolean;
			/** When to resend: at the throttle's next permit, or after a pause if repeats are left. */
			retry?: 'throttled' | Pause;
	  };

const MAX_REPEATS = 2;
const REPEAT_AFTER_MS = 500;

/**
 * Sends requests to one service for one node: with the credential of each item, within the rate limit, following
 * redirects only to hosts that the credential allows, and repeating only requests that are safe to repeat.
 */
export class Client {
	private waitedMs = 0;
	/** Cached: n8n copies the node at each `getNode`. */
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

	/** Sends a request for an item, and resends it where that is safe and may help. */
	async attempt(request: ApiRequest, item: number): Promise<Attempt> {
		const wait = this.waitOptions(request);
		const sender = await this.senderFor(request, item);
		if ('failure' in sender) return this.failed({ ...sender.failure, itemIndex: item });
		const late = await this.keepPace(request, sender, wait);
		if (late) return this.failed({ ...late, itemIndex: item });
		let inDoubt = false;
		let repeats = 0;
		for (let isRetry = false; ; isRetry = true) {
			const verdict = await this.sendOnce(request, sender, wait, isRetry);
			if ('response' in verdict) return verdict;
			const { failure, retry, refused } = verdict;
			inDoubt ||= failure.inDoubt === true;
			if (retry === 'throttled') continue;
			const pause = retry && !wait.signal?.aborted ? this.pauseBefore(retry, repeats) : undefined;
			if (pause === undefined)
				return this.failed({ ...failure, inDoubt, itemIndex: item }, refused && !inDoubt);
			await sleepUnlessCancelled(pause, wait.signal);
			repeats += 1;
		}
	}

	/** Milliseconds before a request is repeated; undefined if it was repeated too often, or would wait too long. */
	private pauseBefore({ afterMs }: Pause, repeats: number): number | undefined {
		if (repeats >= MAX_REPEATS) return undefined;
		const pause = afterMs ?? REPEAT_AFTER_MS * 2 ** repeats;
		return pause <= this.options.maxWaitMs ? pause : undefined;
	}

	private failed(failure: FailureDetails, refused = false): Attempt {
		return { refused, error: this.apiError(failure) };
	}

	/** All that a request of an item needs, or why it can't be sent. */
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

	/** Waits until the minimum interval since the last such request is over. */
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
		const { throttle } = sender;
		const permit = await throttle.permit(wait, isRetry);
		if (!permit.go) return { failure: this.withoutPermit(permit, isRetry) };
		let response: ApiResponse | undefined;
		try {
			const checked = await this.checkedReply(request, sender);
			if ('response' in checked.reply) ({ response } = checked.reply);
			return this.verdictOn(checked, request, sender);
		} finally {
			throttle.finish(response, wait.limit);
		}
	}

	/** Decides about a request: it succeeded, or it failed and may be sent again. */
	private verdictOn(checked: CheckedReply, request: ApiRequest, sender: Sender): Verdict {
		const { reply } = checked;
		const { base, zone } = sender;
		const inDoubt = wasInDoubt(this.service, checked, request, base);
		if ('response' in reply && reply.response.status === 429)
			return { failure: { ...this.tooLong(0, true), inDoubt }, retry: 'throttled' };
		const result = resultOf(this.service, checked, request, base);
		if ('response' in result)
			return { response: { ...result.response, ...(zone !== undefined && { zone }) } };
		return {
			failure: { ...result.failure, inDoubt: inDoubt || result.failure.inDoubt },
			refused: 'response' in reply,
			...(isRepeatable(request, reply) && { retry: { afterMs: retryAfterOf(reply) } }),
		};
	}

	/** Identifies the service and account of an item. Caches, locks and throttles use it as a key. */
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
	 * Sends a request, and renews the session once if the response shows that it expired. Some responses can't show
	 * that; then a second request checks the session. The response of an expired session is never used. A write that
	 * may have been carried out is not resent.
	 */
	private async checkedReply(request: ApiRequest, sender: Sender): Promise<CheckedReply> {
		const { session } = this.service;
		if (!session || request.anonymous)
			return { reply: await this.sendWith(sender.credential, request, sender), repliedTo: request };
		const first = await this.sendInSession(session, request, sender);
		const unchecked = { reply: first.reply, repliedTo: request };
		const needsCheck = 'response' in first.reply && session.needsSessionCheck(first.reply.response, request);
		if (!needsCheck) return unchecked;
		const { sessionCheck } = session;
		const check = await this.sendInSession(session, sessionCheck, sender);
		// The check renewed the session for the next requests. This one is not resent: its write may have been carried out.
		if (!isIdempotent(request)) return unchecked;
		const isValid = 'response' in check.reply && check.reply.response.status < 300;
		if (!isValid || isExpired(this.service, check.reply, sessionCheck))
			return { reply: check.reply, repliedTo: sessionCheck, firstReply: first.reply };
		// The session was not renewed, so the first reply is from a valid one.
		if (check.token === first.token) return unchecked;
		const { reply } = await this.sendInSession(session, request, sender);
		return { reply, repliedTo: request, firstReply: first.reply };
	}

	/** Sends a request once. The secrets of the credential, which a login may change, are masked in all messages. */
	private async sendWith(
		credential: Credential,
		request: ApiRequest,
		{ base }: Sender,
		logsIn = false,
	): Promise<Reply> {
		const encoded = this.service.encode(request.body);
		const reply = await transmit(this.context, { base, request, encoded, credential, logsIn });
		this.maskCredential(credential.data);
		if ('response' in reply) this.secrets.checkEcho(reply.response.text);
		return reply;
	}

	private maskCredential(data: ICredentialDataDecryptedObject): void {
		this.secrets.addCredential(this.service.secrets(data), this.service.passwords?.(data));
	}

	/** Sends a request and renews the session once if needed. Returns the token of the session that was used. */
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
		// Overlapping waits count once. A wait is announced if it ends a second or more after the last one.
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
