import { type ICredentialDataDecryptedObject, type IExecuteFunctions, type INode } from 'n8n-workflow';
import type { FailureDetails, Owner } from '../api-types';
import { baseUrlOf, isOn, isZone, mayReach } from '../credential';
import { forbiddenDomain, NO_BASE_URL, noZone, readOnly } from '../errors/messages';
import { Secrets } from '../errors/secrets';
import { overHttp } from './http';
import { isSafe } from './request';
import { retrying } from './retry';
import type { Outgoing, Reply, Send, Waiting } from './send';
import { limitOf, type NodeContext, type Service } from './service';
import { inSession } from './session';
import { throttleOf, withinRateLimit } from './throttle';
import { Waits } from './waits';

/** Sends requests to one service for one node: with the credential of each item. */
export class Client {
	readonly waits: Waits;
	/** Cached, because `getNode` makes a copy each time. */
	readonly node: INode;
	private readonly credentialType: string;
	readonly waiting: Waiting;
	/** Secrets of all credentials used so far, and of password fields. */
	readonly secrets = new Secrets();
	/** Results that one run or poll shares, by account and name. */
	readonly memo = new Map<string, Promise<unknown>>();

	constructor(
		private readonly context: NodeContext,
		readonly service: Service,
		/** The longest wait for the rate limit, how the user can change it, and what else ends a wait. */
		options: Pick<Waiting, 'maxWaitMs' | 'advice' | 'signal'>,
	) {
		this.node = context.getNode();
		this.credentialType = service.credentialType(this.node);
		this.waits = new Waits(context, service.name);
		this.waiting = {
			...options,
			signal: options.signal ?? (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.(),
			service: service.name,
			onWait: (ms) => this.waits.note(ms),
		};
	}

	async send(request: Outgoing, item: number): Promise<Reply> {
		const base = baseUrlOf(request.credential);
		if (!base) return { failure: NO_BASE_URL };
		const failure = this.obstacle(request, base);
		if (failure) return { failure };
		return await this.pipeline(request, base, item)(request);
	}

	/** Why a request must not be sent with this credential. */
	private obstacle(request: Outgoing, base: string): FailureDetails | undefined {
		const { credential } = request;
		if (!mayReach(base, credential)) return forbiddenDomain(base);
		const zone = this.service.zone?.(credential);
		if (zone !== undefined && !isZone(zone)) return noZone(zone);
		if (isOn(credential.readOnly) && !isSafe(request)) return readOnly(request);
		return this.service.rejects?.(request, credential);
	}

	/**
	 * The way of a request. Each part makes a `Send`, does one thing, and calls the next part:
	 *
	 * - `retrying` (retry.ts) sends it again after a failure, as the retry policy says.
	 * - `withinRateLimit` (throttle.ts) waits for the rate limit, and sends it again if the limit refused it.
	 * - `inSession` (session.ts) logs in again if the session has expired. If the response can't show that, a second request
	 *   does. All this takes one permit of the rate limit.
	 * - `overHttp` (http.ts) makes one try, through n8n. `classify` (classify.ts) judges what came back.
	 */
	private pipeline({ path, credential }: Outgoing, base: string, item: number): Send {
		const { service, context, credentialType, secrets, waiting } = this;
		const { session: rules } = service;
		const { account, lastingAccount } = this.ownerOf(credential);
		const zone = service.zone?.(credential);
		const sendOnce = overHttp({ context, service, credentialType, base, zone, secrets });
		const access = rules && {
			rules,
			renewal: rules.renewal(context, credentialType),
			readCredential: async () => {
				const stored = await this.credential(item);
				if (this.ownerOf(stored).lastingAccount === lastingAccount) return stored;
				throw new Error('The credential was changed to another account meanwhile: run this again');
			},
		};
		const apart = limitOf(service, path);
		const throttle = throttleOf(`${account} ${apart?.path ?? ''}`, apart?.intervalMs);
		return retrying(
			waiting,
			withinRateLimit(throttle, waiting, access ? inSession(access, sendOnce) : sendOnce),
		);
	}

	async zone(item: number): Promise<string | undefined> {
		return this.service.zone?.(await this.credential(item));
	}

	async credential(item: number): Promise<ICredentialDataDecryptedObject> {
		const context = this.context as IExecuteFunctions;
		const read = await context.getCredentials<ICredentialDataDecryptedObject>(this.credentialType, item);
		this.secrets.add(...this.service.secrets(read));
		return read;
	}

	ownerOf(credential: ICredentialDataDecryptedObject): Owner {
		const { names, secrets } = this.service.identity(credential, this.node);
		const base = baseUrlOf(credential) ?? '';
		const host = base.replace(/^https?:\/\//, '');
		return {
			account: JSON.stringify([base, names, secrets]),
			lastingAccount: JSON.stringify([host, ...(names.length > 0 ? names : secrets)]),
			host,
			isReadOnly: isOn(credential.readOnly),
		};
	}
}
